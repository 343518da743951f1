# about: Queries of TPC-H, with the customer as the unit
# policy: tpch
# case: tpch/q01
# note: eight lines are drawn at most; a customer may have 350
select
    l_returnflag,
    l_linestatus,
    sum(l_quantity) as sum_qty,
    sum(l_extendedprice) as sum_base_price,
    sum(l_extendedprice * (1 - l_discount)) as sum_disc_price,
    sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) as sum_charge,
    avg(l_quantity) as avg_qty,
    avg(l_extendedprice) as avg_price,
    avg(l_discount) as avg_disc,
    count(*) as count_order
from
    lineitem
where
    l_shipdate <= date '1998-12-01' - interval '90' day
group by
    l_returnflag,
    l_linestatus
order by
    l_returnflag,
    l_linestatus
-- accept
-- sensitivity: sum(l_extendedprice - 900)  l0=6 l1=36435000 l2=36435000 linf=36435000 groups=6  (rows per unit 350, enforced per unit (7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey); l_extendedprice in [900, 105000], clamped; summed around 900, the least; groups: l_returnflag: 3 values; l_linestatus: 2 values; a unit can be in several; a row adds 104100 to sum(l_extendedprice - 900) and sum(l_extendedprice - 105000) together)
-- sensitivity: centred sum(l_quantity)  l0=6 l1=8575 l2=8575 linf=8575 groups=6  (rows per unit 350, enforced per unit (7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey); l_quantity in [1, 50], clamped; summed around 25.5, the middle; groups: l_returnflag: 3 values; l_linestatus: 2 values; a unit can be in several)
-- sensitivity: sum(l_extendedprice - 105000)  l0=6 l1=36435000 l2=36435000 linf=36435000 groups=6  (rows per unit 350, enforced per unit (7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey); l_extendedprice in [900, 105000], clamped; summed around 105000, the greatest; groups: l_returnflag: 3 values; l_linestatus: 2 values; a unit can be in several; a row adds 104100 to sum(l_extendedprice - 900) and sum(l_extendedprice - 105000) together)
-- sensitivity: centred sum(l_discount)  l0=6 l1=17.5 l2=17.5 linf=17.5 groups=6  (rows per unit 350, enforced per unit (7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey); l_discount in [0, 0.1], clamped; summed around 0.05, the middle; groups: l_returnflag: 3 values; l_linestatus: 2 values; a unit can be in several)
-- sensitivity: centred sum(l_extendedprice * (1 - l_discount))  l0=6 l1=18233250 l2=18233250 linf=18233250 groups=6  (rows per unit 350, enforced per unit (7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey); l_extendedprice * (1 - l_discount) in [810, 105000], clamped; summed around 52905, the middle; groups: l_returnflag: 3 values; l_linestatus: 2 values; a unit can be in several)
-- sensitivity: centred sum((l_extendedprice * (1 - l_discount)) * (1 + l_tax))  l0=6 l1=19703250 l2=19703250 linf=19703250 groups=6  (rows per unit 350, enforced per unit (7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey); (l_extendedprice * (1 - l_discount)) * (1 + l_tax) in [810, 113400], clamped; summed around 57105, the middle; groups: l_returnflag: 3 values; l_linestatus: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by l_returnflag#2 = l_returnflag, l_linestatus#2 = l_linestatus: sum = sum(l_quantity), sum#2 = sum(l_extendedprice), sum#3 = sum((l_extendedprice * (1 - l_discount))), sum#4 = sum(((l_extendedprice * (1 - l_discount)) * (1 + l_tax))), avg = avg(l_quantity), avg#2 = avg(l_extendedprice), avg#3 = avg(l_discount), count = count(*)
--       filter (l_shipdate <= 1998-09-02)
--         scan lineitem (l_orderkey, l_quantity, l_extendedprice, l_discount, l_tax, l_returnflag, l_linestatus, l_shipdate)
--   answer:
--     sort l_returnflag#3 asc nulls last, l_linestatus#3 asc nulls last
--       project l_returnflag#3 = l_returnflag#2, l_linestatus#3 = l_linestatus#2, sum_qty = sum, sum_base_price = sum#2, sum_disc_price = sum#3, sum_charge = sum#4, avg_qty = avg, avg_price = avg#2, avg_disc = avg#3, count_order = count
--         released r1 (l_returnflag#2, l_linestatus#2, sum, sum#2, sum#3, sum#4, avg, avg#2, avg#3, count)
==
# case: tpch/q05
# note: of 350 lines that a customer may have eight are drawn at most, and none passes the whole chain of joins and filters
select
    n_name,
    sum(l_extendedprice * (1 - l_discount)) as revenue
from
    customer,
    orders,
    lineitem,
    supplier,
    nation,
    region
where
    c_custkey = o_custkey
    and l_orderkey = o_orderkey
    and l_suppkey = s_suppkey
    and c_nationkey = s_nationkey
    and s_nationkey = n_nationkey
    and n_regionkey = r_regionkey
    and r_name = 'ASIA'
    and o_orderdate >= date '1994-01-01'
    and o_orderdate < date '1994-01-01' + interval '1' year
group by
    n_name
order by
    revenue desc
-- accept
-- sensitivity: revenue  l0=1 l1=36750000 l2=36750000 linf=36750000 groups=public  (rows per unit 350, enforced per unit (c_custkey is the key of customer; 50 rows of orders per o_custkey; 7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey); l_extendedprice * (1 - l_discount) in [810, 105000], clamped; groups: n_name: from the public supplier, nation, region; a unit is in one group)
-- plan:
--   r1:
--     aggregate by n_name#2 = n_name: sum = sum((l_extendedprice * (1 - l_discount)))
--       join inner on (n_regionkey = r_regionkey)
--         join inner on (s_nationkey = n_nationkey)
--           join inner on ((l_suppkey = s_suppkey) AND (c_nationkey = s_nationkey))
--             join inner on (l_orderkey = o_orderkey)
--               join inner on (c_custkey = o_custkey)
--                 scan customer (c_custkey, c_nationkey)
--                 filter ((o_orderdate >= 1994-01-01) AND (o_orderdate < 1995-01-01))
--                   scan orders (o_orderkey, o_custkey, o_orderdate)
--               scan lineitem (l_orderkey, l_suppkey, l_extendedprice, l_discount)
--             scan supplier (s_suppkey, s_nationkey)
--           scan nation (n_nationkey, n_name, n_regionkey)
--         filter (r_name = 'ASIA')
--           scan region (r_regionkey, r_name)
--   answer:
--     sort revenue desc nulls last
--       project n_name#3 = n_name#2, revenue = sum
--         released r1 (n_name#2, sum)
==
# case: tpch/q06
# note: no drawn line passes all filters, and a customer may have 350
select
    sum(l_extendedprice * l_discount) as revenue
from
    lineitem
where
    l_shipdate >= date '1994-01-01'
    and l_shipdate < date '1994-01-01' + interval '1' year
    and l_discount between 0.06 - 0.01 and 0.06 + 0.01
    and l_quantity < 24
-- accept
-- sensitivity: revenue  l0=1 l1=2572500 l2=2572500 linf=2572500 groups=1  (rows per unit 350, enforced per unit (7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey); l_extendedprice * l_discount in [45, 7350], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((l_extendedprice * l_discount))
--       filter and((l_shipdate >= 1994-01-01), (l_shipdate < 1995-01-01), (l_discount >= 1/20), (l_discount <= 7/100), (l_quantity < 24))
--         scan lineitem (l_orderkey, l_quantity, l_extendedprice, l_discount, l_shipdate)
==
# case: tpch/q12
# note: no drawn line passes all filters, and a customer may have 350
select
    l_shipmode,
    sum(case
        when o_orderpriority = '1-URGENT'
            or o_orderpriority = '2-HIGH'
            then 1
        else 0
    end) as high_line_count,
    sum(case
        when o_orderpriority <> '1-URGENT'
            and o_orderpriority <> '2-HIGH'
            then 1
        else 0
    end) as low_line_count
from
    orders,
    lineitem
where
    o_orderkey = l_orderkey
    and l_shipmode in ('MAIL', 'SHIP')
    and l_commitdate < l_receiptdate
    and l_shipdate < l_commitdate
    and l_receiptdate >= date '1994-01-01'
    and l_receiptdate < date '1994-01-01' + interval '1' year
group by
    l_shipmode
order by
    l_shipmode
-- accept
-- sensitivity: high_line_count  l0=2 l1=350 l2=350 linf=350 groups=2  (rows per unit 350, enforced per unit (50 rows of orders per o_custkey; 7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey); CASE WHEN ((o_orderpriority = '1-URGENT') OR (o_orderpriority = '2-HIGH')) THEN 1 ELSE 0 END in [0, 1], proven; groups: l_shipmode: 2 values; a unit can be in several)
-- sensitivity: low_line_count  l0=2 l1=350 l2=350 linf=350 groups=2  (rows per unit 350, enforced per unit (50 rows of orders per o_custkey; 7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey); CASE WHEN ((o_orderpriority <> '1-URGENT') AND (o_orderpriority <> '2-HIGH')) THEN 1 ELSE 0 END in [0, 1], proven; groups: l_shipmode: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by l_shipmode#2 = l_shipmode: sum = sum(case(((o_orderpriority#2 = '1-URGENT') OR (o_orderpriority#2 = '2-HIGH')) then 1; else 0)), sum#2 = sum(case(((o_orderpriority#2 <> '1-URGENT') AND (o_orderpriority#2 <> '2-HIGH')) then 1; else 0))
--       join inner on (o_orderkey = l_orderkey)
--         project o_orderkey, o_custkey, o_orderpriority#2 = cut(o_orderpriority, 16)
--           scan orders (o_orderkey, o_custkey, o_orderpriority)
--         filter and(in(l_shipmode, 'MAIL', 'SHIP'), (l_commitdate < l_receiptdate), (l_shipdate < l_commitdate), (l_receiptdate >= 1994-01-01), (l_receiptdate < 1995-01-01))
--           scan lineitem (l_orderkey, l_shipdate, l_commitdate, l_receiptdate, l_shipmode)
--   answer:
--     sort l_shipmode#3 asc nulls last
--       project l_shipmode#3 = l_shipmode#2, high_line_count = sum, low_line_count = sum#2
--         released r1 (l_shipmode#2, sum, sum#2)
==
# case: tpch/q14
# note: few drawn lines pass the filter, and a customer may have 350
select
    100.00 * sum(case
        when p_type like 'PROMO%'
            then l_extendedprice * (1 - l_discount)
        else 0
    end) / sum(l_extendedprice * (1 - l_discount)) as promo_revenue
from
    lineitem,
    part
where
    l_partkey = p_partkey
    and l_shipdate >= date '1995-09-01'
    and l_shipdate < date '1995-09-01' + interval '1' month
-- accept
-- sensitivity: sum(CASE WHEN (p_type LIKE 'PROMO%') THEN (l_extendedprice * (1 - l_discount)) ELSE CAST(0.0000 AS DECIMAL(18, 4)) END)  l0=1 l1=36750000 l2=36750000 linf=36750000 groups=1  (rows per unit 350, enforced per unit (7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey); CASE WHEN (p_type LIKE 'PROMO%') THEN (l_extendedprice * (1 - l_discount)) ELSE CAST(0.0000 AS DECIMAL(18, 4)) END in [0, 105000], clamped)
-- sensitivity: sum(l_extendedprice * (1 - l_discount))  l0=1 l1=36750000 l2=36750000 linf=36750000 groups=1  (rows per unit 350, enforced per unit (7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey); l_extendedprice * (1 - l_discount) in [810, 105000], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case(like(p_type, 'PROMO%') then (l_extendedprice * (1 - l_discount)); else 0)), sum#2 = sum((l_extendedprice * (1 - l_discount)))
--       join inner on (l_partkey = p_partkey)
--         filter ((l_shipdate >= 1995-09-01) AND (l_shipdate < 1995-10-01))
--           scan lineitem (l_orderkey, l_partkey, l_extendedprice, l_discount, l_shipdate)
--         scan part (p_partkey, p_type)
==
# case: tpch/q19
# note: no drawn line passes all filters, and a customer may have 350
select
    sum(l_extendedprice * (1 - l_discount)) as revenue
from
    lineitem,
    part
where
    (
        p_partkey = l_partkey
        and p_brand = 'Brand#12'
        and p_container in ('SM CASE', 'SM BOX', 'SM PACK', 'SM PKG')
        and l_quantity >= 1 and l_quantity <= 1 + 10
        and p_size between 1 and 5
        and l_shipmode in ('AIR', 'AIR REG')
        and l_shipinstruct = 'DELIVER IN PERSON'
    )
    or
    (
        p_partkey = l_partkey
        and p_brand = 'Brand#23'
        and p_container in ('MED BAG', 'MED BOX', 'MED PKG', 'MED PACK')
        and l_quantity >= 10 and l_quantity <= 10 + 10
        and p_size between 1 and 10
        and l_shipmode in ('AIR', 'AIR REG')
        and l_shipinstruct = 'DELIVER IN PERSON'
    )
    or
    (
        p_partkey = l_partkey
        and p_brand = 'Brand#34'
        and p_container in ('LG CASE', 'LG BOX', 'LG PACK', 'LG PKG')
        and l_quantity >= 20 and l_quantity <= 20 + 10
        and p_size between 1 and 15
        and l_shipmode in ('AIR', 'AIR REG')
        and l_shipinstruct = 'DELIVER IN PERSON'
    )
-- accept
-- sensitivity: revenue  l0=1 l1=36750000 l2=36750000 linf=36750000 groups=1  (rows per unit 350, enforced per unit (7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey); l_extendedprice * (1 - l_discount) in [810, 105000], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((l_extendedprice * (1 - l_discount)))
--       join inner on ((p_partkey = l_partkey) AND or(and((p_brand = 'Brand#12'), in(p_container, 'SM CASE', 'SM BOX', 'SM PACK', 'SM PKG'), (l_quantity >= 1), (l_quantity <= 11), (p_size <= 5)), and((p_brand = 'Brand#23'), in(p_container, 'MED BAG', 'MED BOX', 'MED PKG', 'MED PACK'), (l_quantity >= 10), (l_quantity <= 20), (p_size <= 10)), and((p_brand = 'Brand#34'), in(p_container, 'LG CASE', 'LG BOX', 'LG PACK', 'LG PKG'), (l_quantity >= 20), (l_quantity <= 30), (p_size <= 15))))
--         filter (in(l_shipmode, 'AIR', 'AIR REG') AND (l_shipinstruct = 'DELIVER IN PERSON'))
--           scan lineitem (l_orderkey, l_partkey, l_quantity, l_extendedprice, l_discount, l_shipinstruct, l_shipmode)
--         filter (p_size >= 1)
--           scan part (p_partkey, p_brand, p_size, p_container)
==
# case: tpch/priority
# note: eight orders are drawn at most; a customer may have 50
SELECT o_orderpriority, COUNT(*) AS n, SUM(o_totalprice) AS s FROM orders GROUP BY 1
-- accept
-- sensitivity: sum(o_totalprice - 810)  l0=5 l1=29959500 l2=29959500 linf=29959500 groups=5  (rows per unit 50, enforced per unit (50 rows of orders per o_custkey); o_totalprice in [810, 600000], clamped; summed around 810, the least; groups: o_orderpriority: 5 values; a unit can be in several; a row adds 599190 to sum(o_totalprice - 810) and sum(o_totalprice - 600000) together)
-- sensitivity: sum(o_totalprice - 600000)  l0=5 l1=29959500 l2=29959500 linf=29959500 groups=5  (rows per unit 50, enforced per unit (50 rows of orders per o_custkey); o_totalprice in [810, 600000], clamped; summed around 600000, the greatest; groups: o_orderpriority: 5 values; a unit can be in several; a row adds 599190 to sum(o_totalprice - 810) and sum(o_totalprice - 600000) together)
-- plan:
--   r1:
--     aggregate by o_orderpriority#2 = o_orderpriority: count = count(*), sum = sum(o_totalprice)
--       scan orders (o_orderkey, o_custkey, o_totalprice, o_orderpriority)
==
# case: tpch/composite-key
# note: the key of lineitem leads to no unit, so it is not tested: 7 lines of an order could have one number; eight lines are drawn at most
SELECT COUNT(*) AS n FROM lineitem a JOIN lineitem b ON a.l_orderkey = b.l_orderkey AND a.l_linenumber = b.l_linenumber
-- accept
-- sensitivity: n  l0=1 l1=2450 l2=2450 linf=2450 groups=1  (rows per unit 2450, enforced per unit (7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((l_orderkey = l_orderkey#2) AND (l_linenumber = l_linenumber#2))
--         filter (number_up_to_7 <= 7)
--           project l_orderkey, l_linenumber, number_up_to_7 = row_number
--             window row_number = row_number() over (partition l_orderkey; order l_orderkey asc nulls last, l_linenumber asc nulls last)
--               scan lineitem (l_orderkey, l_linenumber)
--         filter (number_up_to_7#2 <= 7)
--           project l_orderkey#2, l_linenumber#2, number_up_to_7#2 = row_number#2
--             window row_number#2 = row_number() over (partition l_orderkey#2; order l_orderkey#2 asc nulls last, l_linenumber#2 asc nulls last)
--               scan lineitem (l_orderkey#2, l_linenumber#2)
==
# case: tpch/partsupp
# note: eight lines are drawn at most; a customer may have 350
SELECT s.s_name, SUM(l.l_quantity * ps.ps_supplycost) AS cost FROM lineitem l, partsupp ps, supplier s WHERE ps.ps_suppkey = l.l_suppkey AND ps.ps_partkey = l.l_partkey AND s.s_suppkey = l.l_suppkey GROUP BY s.s_name
-- accept
-- sensitivity: cost  l0=350 l1=17500000 l2=17500000 linf=17500000 groups=public  (rows per unit 350, enforced per unit (7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey); l_quantity * ps_supplycost in [1, 50000], clamped; groups: s_name: from the public partsupp, supplier; a unit can be in several)
-- plan:
--   r1:
--     aggregate by s_name#2 = s_name: sum = sum((l_quantity * ps_supplycost))
--       join inner on ((s_suppkey = l_suppkey) AND (s_suppkey = ps_suppkey))
--         join inner on ((ps_suppkey = l_suppkey) AND (ps_partkey = l_partkey))
--           scan lineitem (l_orderkey, l_partkey, l_suppkey, l_quantity)
--           scan partsupp (ps_partkey, ps_suppkey, ps_supplycost)
--         scan supplier (s_suppkey, s_name)
