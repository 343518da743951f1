-- Made of released rows alone: all of SQL may be used, and it costs nothing.
SELECT channel, orders, orders / SUM(orders) OVER () AS share, shipping
FROM {{ source("released", "orders_by_channel") }}
