"""MySQL's expressions, and the parts that they are made of."""

NUMBERS = """
    ({n} + {n})|({n} - {n})|({n} * {n})|({n} / {n})|({n} % {n})|({n} DIV {n})|MOD({n}, {n})|-({n})
    ABS({n})|SIGN({n})|FLOOR({n})|CEIL({n})|ROUND({n})|ROUND({n}, 1)|SQRT({n})|EXP({n} / 100)
    LN({n})|LOG({n})|LOG10({n})|LOG(2, {n})|POW({n}, 2)|LEAST({n}, {n})|GREATEST({n}, {n})
    IFNULL({n}, {n})|COALESCE({n}, {n})|NULLIF({n}, {n})|IF({c}, {n}, {n})|CHAR_LENGTH({t})
    CASE WHEN {c} THEN {n} ELSE {n} END|CASE {n} WHEN {n} THEN {n} END|FIELD(s, 'ab', '12')
    CAST({n} AS SIGNED)|CAST({n} AS DECIMAL(10,2))|CAST({n} AS DOUBLE)|YEAR({d})|MONTH({d})
    DAY({d})|DAYOFYEAR({d})|DAYOFWEEK({d})|WEEKDAY({d})|QUARTER({d})|WEEKOFYEAR({d})|HOUR({d})
    EXTRACT(MONTH FROM {d})|DATEDIFF({d}, {d})|TIMESTAMPDIFF(DAY, {d}, {d})
    TIMESTAMPDIFF(HOUR, {d}, {d})|TIMESTAMPDIFF(WEEK, {d}, {d})|TIMESTAMPDIFF(YEAR, d, e)
    TIMESTAMPDIFF(MONTH, e, d)|TIMESTAMPDIFF(QUARTER, DATE({d}), DATE({d}))
"""
TEXTS = """
    CONCAT({t}, {t})|CONCAT({t}, i)|CONCAT_WS('-', {t}, {t})|UPPER({t})|LOWER({t})|TRIM({t})
    LTRIM({t})|RTRIM({t})|LEFT({t}, 2)|RIGHT({t}, 2)|SUBSTRING({t}, 2)|SUBSTRING({t}, 1, 2)
    REPLACE({t}, 'a', 'zz')|IFNULL({t}, {t})|IF({c}, {t}, {t})|LEAST({t}, {t})|NULLIF({t}, {t})
    DATE_FORMAT({d}, '%Y-%m-%d')|DATE_FORMAT({d}, '%M %e %Y')|DATE_FORMAT({d}, '%a %b %d')
    DATE_FORMAT({d}, '%H:%i:%s')|DATE_FORMAT({d}, '%j')|DATE_FORMAT({d}, '%x-%v')
    DATE_FORMAT({d}, '%W %w')|DATE_FORMAT({d}, '%l %p')|DAYNAME({d})|MONTHNAME({d})
    CAST({t} AS CHAR)|MD5({t})|SUBSTRING_INDEX({t}, 'b', 1)|SUBSTRING_INDEX({t}, '-', -1)
"""
MOMENTS = """
    DATE_ADD({d}, INTERVAL 1 {u})|DATE_SUB({d}, INTERVAL 13 {u})|({d} + INTERVAL 2 {u})
    ({d} - INTERVAL 1 {u})|TIMESTAMPADD({u}, 5, {d})|ADDDATE({d}, 31)|SUBDATE({d}, 1)|DATE({d})
    ADDDATE({d}, INTERVAL 1 {u})|('2024-02-29' + INTERVAL 1 {u})|LAST_DAY({d})
    IFNULL({d}, {d})|CAST(d AS DATETIME)
    DATE_ADD({d}, INTERVAL j DAY)|({d} - INTERVAL {w} DAY)|({d} + INTERVAL j - 1 MONTH)
    (INTERVAL j WEEK + {d})|(d + INTERVAL m DAY)|TIMESTAMPADD(HOUR, m, {d})
    STR_TO_DATE('2024-05-06', '%Y-%m-%d')
"""
CONDITIONS = """
    {n} = {n}|{n} <> {n}|{n} < {n}|{n} >= {n}|{t} = {t}|{t} < {t}|{t} > {t}|{d} = {d}|{d} <= {d}
    {n} <=> {n}|{t} <=> {t}|{n} IS NULL|{t} IS NOT NULL|{n} IN ({n}, {n})|{t} NOT IN ({t}, {t})
    {n} BETWEEN {n} AND {n}|{d} BETWEEN {d} AND {d}|d > '2024-01-05'|LOWER({t}) LIKE 'a%'
    UPPER({t}) LIKE '%B'
    ({c}) AND ({c})|({c}) OR ({c})|({c}) && ({c})|({c}) ¦¦ ({c})|NOT ({c})|({c}) IS TRUE
    ({c}) IS NOT FALSE|{t} LIKE '%'
"""
UNITS = "DAY|MONTH|YEAR|WEEK|HOUR|MINUTE|QUARTER|SECOND"
AGGREGATES = """
    COUNT(*)|COUNT({n})|COUNT({t})|COUNT(DISTINCT {n})|COUNT(DISTINCT {t})|SUM({n})|AVG({n})
    MIN({n})|MAX({n})|MIN({t})|MAX({d})|STDDEV({n})|STD({n})|STDDEV_SAMP({n})|VARIANCE({n})
    VAR_SAMP({n})|SUM(DISTINCT {n})|SUM({c})|AVG({c})|COUNT(({c}) OR NULL)|SUM(IF({c}, {n}, 0))
    MAX(IF({c}, {n}, NULL))|COUNT(CASE WHEN {c} THEN 1 END)|SUM({n}) / COUNT(*)|MIN(r)
    COUNT(DISTINCT i, j)|COALESCE(SUM({n}), 0)|ANY_VALUE(1)
"""
KEYS = "i|j|s|r|d|YEAR(d)|{n}|{c}|DATE_FORMAT({d}, '%Y-%m')"
