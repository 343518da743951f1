"""The words of the language: which can follow, and how each function is called."""

from __future__ import annotations

from collections.abc import Mapping

JOINS = ("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN", "SEMI JOIN", "ANTI JOIN")
SETS = ("UNION ALL", "UNION", "INTERSECT", "EXCEPT")
_ENDS = ("QUALIFY", "ORDER BY", "LIMIT", *SETS)
_LATER = ("WHERE", "GROUP BY", "HAVING", *_ENDS)

STARTS = ("SELECT", "WITH", "FROM")

FOLLOWING = {
    "SELECT": ("FROM", "AS"),
    "FROM": (*JOINS, "AS", *_LATER),
    **dict.fromkeys(("ON", "USING"), (*JOINS, *_LATER)),
    "WHERE": ("GROUP BY", "HAVING", *_ENDS),
    "GROUP": ("HAVING", *_ENDS),
    "HAVING": _ENDS,
    "QUALIFY": ("ORDER BY", "LIMIT", *SETS),
    "ORDER": ("DESC", "ASC", "NULLS FIRST", "NULLS LAST", "LIMIT"),
    "LIMIT": ("OFFSET", *SETS),
    "WITH": ("AS", "SELECT"),
}
"""After a whole expression or table of a clause: what can come next."""

TESTS = (
    *("AND", "OR", "IN (", "NOT IN (", "BETWEEN", "LIKE", "ILIKE", "IS NULL", "IS NOT NULL"),
    *("IS DISTINCT FROM", "IS NOT DISTINCT FROM"),
)
"""After a whole expression, where it can be tested."""

IN_CASE = ("WHEN", "THEN", "ELSE", "END")

OPERANDS = (
    *("CASE", "CASE WHEN", "NOT", "EXISTS (", "NULL", "TRUE", "FALSE", "DATE '", "TIMESTAMP '"),
    *("INTERVAL", "CAST(", "TRY_CAST(", "EXTRACT(", "CURRENT_DATE"),
)
"""Where an expression begins."""

AFTER = {
    **dict.fromkeys(("GROUP", "ORDER", "PARTITION"), ("BY",)),
    "IS": ("NULL", "NOT NULL", "TRUE", "FALSE", "DISTINCT FROM", "NOT DISTINCT FROM"),
    **dict.fromkeys(
        ("LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS", "SEMI", "ANTI"), ("JOIN",)
    ),
    "NATURAL": ("JOIN", "LEFT JOIN"),
    "NULLS": ("FIRST", "LAST"),
    "UNION": ("ALL", "SELECT"),
    "INTERSECT": ("SELECT",),
    "EXCEPT": ("SELECT",),
    "FILTER": ("(WHERE",),
    "OVER": ("(PARTITION BY", "(ORDER BY", "("),
    "WITHIN": ("GROUP (ORDER BY",),
}
"""After one word: the only words that can follow."""

_BEFORE_OPERAND = """
SELECT DISTINCT ALL WHERE ON AND OR NOT BY HAVING QUALIFY WHEN THEN ELSE CASE IN BETWEEN LIKE ILIKE
FROM JOIN LIMIT OFFSET ANY SOME VALUES ESCAPE USING AS INTERVAL
"""
BEFORE_OPERAND = frozenset(_BEFORE_OPERAND.split())
"""Words after which an expression, a table or a name begins."""


_SCALARS = """
abs(number)  ceil(number)  ceiling(number)  floor(number)  even(number)  sign(number)
round(number[, digits])  trunc(number[, digits])
sqrt(number)  cbrt(number)  exp(number)  ln(number)  log(number)  log2(number)  log10(number)
pow(number, power)  power(number, power)
sin(number)  cos(number)  tan(number)  cot(number)  asin(number)  acos(number)  atan(number)
atan2(y, x)  sinh(number)  cosh(number)  tanh(number)  asinh(number)  acosh(number)  atanh(number)
degrees(number)  radians(number)  pi()
xor(integer, integer)  bit_count(integer)  factorial(integer)  gcd(integer, integer)
lcm(integer, integer)  isnan(double)  isinf(double)  isfinite(double)
array_length(list)  list_extract(numbers, place)  list_element(numbers, place)
array_extract(numbers, place)
least(value, value...)  greatest(value, value...)  coalesce(value, value...)  ifnull(value, value)
nullif(value, value)  if(condition, value, value)
lower(string)  lcase(string)  upper(string)  ucase(string)  length(string)  len(string)
char_length(string)  character_length(string)  strlen(string)
bit_length(string)  ascii(string)  unicode(string)  ord(string)  reverse(string)
substring(string, start[, length])  substr(string, start[, length])
left(string, count)  right(string, count)  repeat(string, count)
lpad(string, length, pad)  rpad(string, length, pad)
trim(string[, characters])  ltrim(string[, characters])  rtrim(string[, characters])
replace(string, from, to)  translate(string, from, to)  split_part(string, separator, part)
concat(string, string...)  concat_ws(separator, string, string...)
starts_with(string, start)  prefix(string, start)  ends_with(string, end)  suffix(string, end)
contains(string, part)  strpos(string, part)  instr(string, part)
like_escape(string, pattern, escape)  ilike_escape(string, pattern, escape)
regexp_matches(string, regex[, options])
regexp_full_match(string, regex[, options])  regexp_extract(string, regex[, group])
regexp_replace(string, regex, replacement[, options])
date_trunc(unit, date)  date_part(part, date)  datepart(part, date)
date_diff(unit, date, date)  datediff(unit, date, date)
date_sub(unit, date, date)  datesub(unit, date, date)  date_add(date, interval)
age(date, date)  last_day(date)  make_date(year, month, day)  time_bucket(interval, date)
make_time(hour, minute, seconds)  make_timestamp(integer)  to_timestamp(seconds)  date(timestamp)
to_days(number)  to_months(number)  to_years(number)  to_hours(number)  to_minutes(number)
strftime(date, format)  strptime(text, format)  try_strptime(text, format)
dayname(date)  monthname(date)
year(date)  isoyear(date)  yearweek(date)  decade(date)  century(date)  millennium(date)
era(date)  quarter(date)  month(date)  week(date)  weekofyear(date)
day(date)  dayofmonth(date)  dayofweek(date)  weekday(date)  isodow(date)  dayofyear(date)
hour(timestamp)  minute(timestamp)  second(timestamp)  millisecond(timestamp)
microsecond(timestamp)  epoch(timestamp)  epoch_ms(timestamp)  epoch_us(timestamp)  julian(date)
"""

_AGGREGATES = """
count(value)  sum(number)  avg(number)  min(value)  max(value)
mean(number)  geometric_mean(number)  weighted_avg(number, number)  fsum(number)  sem(number)
count_if(condition)  bool_and(condition)  bool_or(condition)
median(value)  mode(value)  quantile_cont(value, fraction)  quantile_disc(value, fraction)
approx_quantile(value, fraction)  approx_count_distinct(value)
stddev(number)  stddev_samp(number)  stddev_pop(number)
variance(number)  var_samp(number)  var_pop(number)
covar_samp(number, number)  covar_pop(number, number)  corr(number, number)
regr_slope(number, number)  regr_intercept(number, number)  regr_r2(number, number)
regr_count(number, number)  regr_avgx(number, number)  regr_avgy(number, number)
regr_sxx(number, number)  regr_syy(number, number)  regr_sxy(number, number)
arg_max(value, number)  arg_min(value, number)  histogram(value, bins)
"""

_WINDOWS = """
row_number()  rank()  dense_rank()  percent_rank()  cume_dist()
lag(value[, offset])  lead(value[, offset])  first_value(value)  last_value(value)
"""


def _read(text: str) -> Mapping[str, str]:
    calls = [call.strip() + ")" for call in text.replace("\n", " ").split(")") if call.strip()]
    return {call[: call.index("(")]: call for call in calls}


SCALARS = _read(_SCALARS)
AGGREGATES = _read(_AGGREGATES)
WINDOWS = _read(_WINDOWS)
"""Name → how it is called: [optional], … for more of the last."""
