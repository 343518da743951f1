-- The demo shop. Every value is a hash of its row's number, in whole numbers below 2^63: the same
-- on every machine and with every version of the engine, and no two columns alike.
CREATE TEMP MACRO mix(x) AS ((xor(x, x >> 16) * 73244475) % 4294967296);
CREATE TEMP MACRO draw(i, salt) AS mix(mix(mix((i * 40503 + salt * 2654435) % 4294967296)));
CREATE TEMP MACRO below(i, salt, n) AS (draw(i, salt) >> 8) % n;
CREATE TEMP MACRO unit(i, salt) AS draw(i, salt) / 4294967296.0::DOUBLE;

CREATE TABLE regions (
    region_id INTEGER PRIMARY KEY, region VARCHAR NOT NULL, country VARCHAR NOT NULL
);
INSERT INTO regions VALUES
    (1, 'Alps', 'AT'), (2, 'Danube', 'AT'), (3, 'Baltic', 'DE'), (4, 'Rhine', 'DE'),
    (5, 'Saxony', 'DE'), (6, 'Jura', 'CH'), (7, 'Ticino', 'CH'), (8, 'Islands', 'DE');

CREATE TABLE products (
    product_id INTEGER PRIMARY KEY, product VARCHAR NOT NULL, category VARCHAR NOT NULL,
    list_price DECIMAL(8, 2) NOT NULL
);
INSERT INTO products
SELECT i,
       format('{} {}', ['Amber', 'Birch', 'Cedar', 'Dune', 'Ember', 'Fjord', 'Grove', 'Heath']
                       [1 + i // 6], ['lamp', 'desk', 'tea', 'coat', 'drill', 'novel'][1 + i % 6]),
       ['home', 'office', 'food', 'clothing', 'tools', 'books'][1 + i % 6],
       ([30, 180, 4, 80, 60, 12][1 + i % 6] * (60 + below(i, 1, 80)) / 100)::DECIMAL(8, 2)
FROM range(48) AS r(i);

CREATE TYPE segment AS ENUM ('private', 'business', 'public');
CREATE TABLE customers (
    customer_id BIGINT PRIMARY KEY, region_id INTEGER NOT NULL REFERENCES regions (region_id),
    segment segment NOT NULL,
    newsletter BOOLEAN, birth_year INTEGER, joined_on DATE NOT NULL, trust DOUBLE NOT NULL,
    email VARCHAR
);
INSERT INTO customers
SELECT i,
       -- Region 8 has no customer: its group is in every answer all the same.
       1 + floor(7 * pow(unit(i, 2), 1.4))::INTEGER,
       CASE WHEN below(i, 3, 100) < 78 THEN 'private'
            WHEN below(i, 3, 100) < 97 THEN 'business' ELSE 'public' END,
       CASE below(i, 4, 5) WHEN 0 THEN NULL WHEN 1 THEN true ELSE false END,
       CASE WHEN below(i, 5, 12) > 0 THEN 1932 + below(i, 6, 40) + below(i, 7, 36) END,
       DATE '2015-01-01' + below(i, 8, 4000)::INTEGER,
       1 - pow(unit(i, 9), 3),
       format('c{}@example.org', i)
FROM range(1, 10001) AS r(i);

CREATE TABLE orders (
    order_id BIGINT PRIMARY KEY,
    customer_id BIGINT NOT NULL REFERENCES customers (customer_id), ordered_on DATE NOT NULL,
    channel VARCHAR NOT NULL, gift BOOLEAN NOT NULL, shipping DECIMAL(6, 2) NOT NULL,
    rating INTEGER CHECK (rating BETWEEN 1 AND 5)
);
INSERT INTO orders
SELECT i,
       -- A few customers order a lot. 7919 is coprime to 10,000: it scatters them.
       1 + (floor(10000 * pow(unit(i, 10), 1.12))::BIGINT * 7919) % 10000,
       -- More and more orders, and most in December.
       CASE WHEN below(i, 11, 10) = 0
            THEN make_date(2023 + below(i, 12, 3), 12, 1 + below(i, 13, 24))
            ELSE DATE '2023-01-01' + floor(1096 * pow(unit(i, 14), 0.8))::INTEGER END,
       CASE WHEN below(i, 15, 100) < 55 THEN 'web' WHEN below(i, 15, 100) < 85 THEN 'app'
            WHEN below(i, 15, 100) < 92 THEN 'phone' ELSE 'shop' END,
       below(i, 16, 9) = 0,
       CASE WHEN below(i, 17, 3) = 0 THEN 0 ELSE (390 + below(i, 18, 1100)) / 100 END,
       CASE WHEN below(i, 19, 3) = 0 THEN 5 - least(below(i, 20, 6), below(i, 21, 5)) END
FROM range(1, 100001) AS r(i);

CREATE TABLE order_lines (
    order_id BIGINT NOT NULL REFERENCES orders (order_id),
    product_id INTEGER NOT NULL REFERENCES products (product_id),
    quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 8),
    price DECIMAL(8, 2) NOT NULL, discount DOUBLE NOT NULL
);
INSERT INTO order_lines
SELECT l.order_id, l.product_id, l.quantity, p.list_price,
       CASE WHEN below(l.line, 25, 4) = 0 THEN below(l.line, 26, 7) / 20.0::DOUBLE ELSE 0 END
FROM (
    SELECT i AS order_id, i * 5 + n AS line,
           floor(48 * pow(unit(i * 5 + n, 22), 1.4))::INTEGER AS product_id,
           1 + least(below(i * 5 + n, 23, 8), below(i * 5 + n, 24, 8)) AS quantity
    FROM range(1, 100001) AS r(i), range(0, 5) AS s(n)
    WHERE n <= least(below(i, 27, 5), below(i, 28, 5))
) AS l JOIN products AS p USING (product_id)
ORDER BY l.line;

DROP MACRO unit;
DROP MACRO below;
DROP MACRO draw;
DROP MACRO mix;
