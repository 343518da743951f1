"""PostgreSQL's expressions, and the parts that they are made of."""

NUMBERS = """
    ({n} + {n})|({n} - {n})|({n} * {n})|({n} / {n})|({w} / {w})|({w} % {w})|MOD({w}, {w})|-({n})
    ABS({n})|SIGN({n})|FLOOR({n})|CEIL({n})|CEILING({n})|ROUND(m, 1)|TRUNC({n})|SQRT(ABS({n}))
    ROUND({n}::DECIMAL(10,3), 1)|EXP({n} / 100)|LN(ABS({n}) + 1)|LOG(ABS({n}) + 1)|POWER({n}, 2)
    LEAST({n}, {n})|GREATEST({n}, {n})|COALESCE({n}, {n})|NULLIF({n}, {n})|LENGTH({t})
    CASE WHEN {c} THEN {n} ELSE {n} END|CASE {n} WHEN {n} THEN {n} END|STRPOS({t}, 'b')
    POSITION('a' IN {t})|CAST({n} AS INTEGER)|{n}::DECIMAL(10,2)|{n}::DOUBLE PRECISION|{n}::BIGINT
    ({w})::NUMERIC|DIV({w}, {w})|WIDTH_BUCKET({n}, 0, 10, 4)|EXTRACT(YEAR FROM {d})
    EXTRACT(MONTH FROM {d})|EXTRACT(DOW FROM {d})|EXTRACT(ISODOW FROM {d})|EXTRACT(DOY FROM {d})
    EXTRACT(WEEK FROM {d})|EXTRACT(QUARTER FROM {d})|EXTRACT(HOUR FROM ts)|DATE_PART('day', {d})
    EXTRACT(EPOCH FROM {d})|(d - e)|(e::DATE - d)|EXTRACT(YEAR FROM AGE(d, e))
    EXTRACT(MONTH FROM AGE({d}, {d}))|EXTRACT(DAY FROM AGE({d}, {d}))|({c})::INT|DEGREES({n})
"""
TEXTS = """
    CONCAT({t}, {t})|CONCAT({t}, i)|({t} ¦¦ {t})|({t} ¦¦ i)|CONCAT_WS('-', {t}, {t})|UPPER(r)
    LOWER({t})|TRIM({t})|LTRIM({t})|RTRIM({t})|TRIM(BOTH 'a' FROM {t})|BTRIM({t}, 'ab')
    LEFT({t}, 2)|RIGHT({t}, 2)|SUBSTRING({t}, 2)|SUBSTRING({t} FROM 2 FOR 2)|SUBSTR({t}, 2, 1)
    REPLACE({t}, 'a', 'zz')|COALESCE({t}, {t})|CASE WHEN {c} THEN {t} ELSE {t} END
    LEAST({t}, {t})|GREATEST({t}, {t})|NULLIF({t}, {t})|MD5({t})|CAST({w} AS TEXT)|{t}::VARCHAR(2)
    TO_CHAR({d}, 'YYYY-MM-DD')|TO_CHAR({d}, 'YYYY-MM')|TO_CHAR({d}, 'FMDay')|TO_CHAR({d}, 'Mon')
    TO_CHAR({d}, 'DY')|TO_CHAR({d}, 'HH24:MI:SS')|TO_CHAR({d}, 'IYYY-IW')|TO_CHAR({d}, 'DDD')
"""
MOMENTS = """
    ({d} + INTERVAL '1 month')|({d} - INTERVAL '13 days')|({d} + INTERVAL '1 year 2 days')|(d + 3)
    (d - 1)|(d + i)|DATE_TRUNC('month', ts)|DATE_TRUNC('week', ts)|DATE_TRUNC('quarter', ts)
    DATE_TRUNC('year', {d})::DATE|DATE_TRUNC('hour', ts)|{d}::DATE|d::TIMESTAMP|COALESCE({d}, {d})
    (d + INTERVAL '1 day' * j)|GREATEST({d}, {d})|(ts + INTERVAL '90 minutes')|NULLIF({d}, {d})
    TO_DATE('2024-05-06', 'YYYY-MM-DD')
"""
CONDITIONS = """
    {n} = {n}|{n} <> {n}|{n} < {n}|{n} >= {n}|{t} = {t}|{t} < {t}|{d} = {d}|{d} <= {d}
    {n} IS DISTINCT FROM {n}|{t} IS NOT DISTINCT FROM {t}|{n} IS NULL|{t} IS NOT NULL
    {n} IN ({n}, {n})|{t} NOT IN ({t}, {t})|{n} BETWEEN {n} AND {n}|{d} BETWEEN {d} AND {d}
    {t} LIKE 'a%'|{t} ILIKE 'A%'|{t} NOT LIKE '%b_'|({c}) AND ({c})|({c}) OR ({c})|NOT ({c})
    ({c}) IS TRUE|({c}) IS NOT FALSE|({c}) IS UNKNOWN|({c}) = ({c})|STARTS_WITH({t}, 'a')
    d > '2024-01-05'|d < '20240105'|ts >= '2024-01-31 10:00:00'
"""
WHOLE = """
    i|j|id|2|7|({w} + {w})|({w} * {w})|LENGTH({t})|ABS({w})|COALESCE({w}, 0)
    CASE WHEN {c} THEN {w} END|EXTRACT(YEAR FROM {d})::INT
"""
AGGREGATES = """
    COUNT(*)|COUNT({n})|COUNT({t})|COUNT(DISTINCT {n})|COUNT(DISTINCT {t})|SUM({n})|AVG({n})
    MIN({n})|MAX({n})|MIN({t})|MAX({d})|STDDEV({n})|STDDEV_POP({n})|VARIANCE({n})|VAR_POP({n})
    SUM(DISTINCT {n})|COUNT(*) FILTER (WHERE {c})|SUM({n}) FILTER (WHERE {c})|BOOL_OR({c})
    BOOL_AND({c})|EVERY({c})|SUM(CASE WHEN {c} THEN {n} ELSE 0 END)|CORR(x, i)|COVAR_POP(x, i)
    PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {n})|REGR_SLOPE(x, i)|SUM({n}) / COUNT(*)
    PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY i)|SUM(i) / COUNT(*)|AVG(i) / 2|REGR_COUNT(x, i)
    COUNT(DISTINCT (i, j))|COALESCE(SUM({n}), 0)
"""
KEYS = "i|j|s|r|d|EXTRACT(YEAR FROM d)|{n}|{c}|TO_CHAR({d}, 'YYYY-MM')"
