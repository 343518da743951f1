"""A small TPC-DS database of our own making: the standard's tables, values that its queries name.

The standard's own generator is not needed: what is wanted here are rows that pass the conditions of
the 99 queries, and that satisfy every claim of `policy.yaml`. All is computed from row numbers.
"""

from __future__ import annotations

import re
from pathlib import Path

import duckdb

from tests.suites.making import mixed

HERE = Path(__file__).parent
CUSTOMERS = 120
ITEMS = 72
FIRST_DAY = "1998-01-01"
DAYS = 1826
DATE_SK = 2450815
"""The key of the first day, as the standard has it: Julian days."""

ROWS = {
    "call_center": 3,
    "catalog_page": 12,
    "customer": CUSTOMERS,
    "customer_address": 100,
    "customer_demographics": 280,
    "date_dim": DAYS,
    "household_demographics": 240,
    "income_band": 20,
    "inventory": 9 * ITEMS * 2,
    "item": ITEMS,
    "promotion": 6,
    "reason": 5,
    "ship_mode": 6,
    "store": 4,
    "time_dim": 288,
    "warehouse": 3,
    "web_page": 4,
    "web_site": 3,
    "store_sales": CUSTOMERS * 16,
    "catalog_sales": CUSTOMERS * 12,
    "web_sales": CUSTOMERS * 12,
    "store_returns": CUSTOMERS * 4,
    "catalog_returns": CUSTOMERS * 3,
    "web_returns": CUSTOMERS * 3,
}
SALES = {"ss": 16, "cs": 12, "ws": 12}
RETURNS = {"sr": ("ss", 16, 4), "cr": ("cs", 12, 4), "wr": ("ws", 12, 4)}
"""Of which sales returns are, how many lines a customer has of these, and each how maniest is
returned.
"""


def words(text: str) -> list[str]:
    return [word.strip() for word in text.split("|")]


LISTS = {
    "ca_city": words("Edgewood | Fairview | Midway | Oak Grove"),
    "ca_country": words("United States"),
    "ca_county": words(
        "Rush County | Toole County | Jefferson County | Dona Ana County | La Porte County"
        " | Williamson County"
    ),
    "ca_location_type": words("apartment | condo | single family"),
    "ca_state": words(
        "TX | OH | KY | GA | CA | TN | IL | IN | VA | MS | NM | WI | MN | LA | CO | IA | AR | OR"
    ),
    "ca_zip": words(
        "24128 | 85669 | 86197 | 88274 | 83405 | 86475 | 35124 | 76232 | 65084 | 18845"
    ),
    "cc_county": words("Williamson County"),
    "cc_name": words("NY Metro | Mid Atlantic | North Midwest"),
    "c_birth_country": words("CHILE | JAPAN | KENYA"),
    "c_first_name": words("Ada | Bo | Cy | Di"),
    "c_last_name": words("Lee | Kim | Ray"),
    "c_preferred_cust_flag": words("Y | N"),
    "c_salutation": words("Dr. | Miss | Mr. | Mrs. | Ms. | Sir"),
    "cd_credit_rating": words("Good | Low Risk | High Risk | Unknown"),
    "hd_buy_potential": words(">10000 | Unknown | 1001-5000 | 501-1000 | 0-500 | 5001-10000"),
    "i_brand": words(
        "amalgimporto #1 | edu packscholar #1 | exportiimporto #1 | exportiunivamalg #9"
        " | importoamalg #1 | scholaramalgamalg #14 | scholaramalgamalg #7 | scholaramalgamalg #9"
    ),
    "i_category": words(
        "Women | Books | Children | Electronics | Home | Jewelry | Men | Music | Sports"
    ),
    "i_class": words(
        "personal | portable | reference | self-help | accessories | classical | fragrances | pants"
        " | computers | stereo | football | shirts | birdal | dresses"
    ),
    "i_color": words(
        "powder | khaki | brown | honeydew | floral | deep | light | cornflower | midnight | snow"
        " | cyan | papaya | orange | frosted | forest | ghost | slate | blanched | burnished"
        " | medium | purple | burlywood | indian | spring | peach | saddle"
    ),
    "i_container": words("Unknown"),
    "i_size": words("medium | extra large | N/A | small | petite | large | economy"),
    "i_units": words("Ounce | Oz | Bunch | Ton | Each | Pound | Dram | Cup | Gross | Box | Lb"),
    "p_channel_dmail": words("Y | N"),
    "p_channel_email": words("N | N | Y"),
    "p_channel_event": words("N | Y"),
    "p_channel_tv": words("N | Y"),
    "r_reason_desc": words("reason 28 | Stopped working | Did not fit | Gift | Lost"),
    "s_city": words("Fairview | Midway"),
    "s_county": words("Williamson County | Orange County | Bronx County | Franklin Parish"),
    "s_company_name": words("Unknown"),
    "s_state": words("TN"),
    "s_store_name": words("ought | able | ese | anti"),
    "s_zip": words("24128 | 85669 | 35124 | 76232"),
    "sm_carrier": words("DHL | BARIAN | UPS"),
    "sm_type": words("EXPRESS | OVERNIGHT | LIBRARY"),
    "t_meal_time": words("breakfast | lunch | dinner"),
    "w_warehouse_name": words("Conventional childr | Important issues liv | Doors canno"),
    "web_company_name": words("pri"),
    "web_name": words("site_0 | site_1"),
}
"""The values of text columns, in turn."""

EXPRESSIONS = {
    "cd_gender": "['M', 'F'][1 + i % 2]",
    "cd_marital_status": "['M', 'S', 'D', 'W', 'U'][1 + i // 2 % 5]",
    "cd_education_status": """['College', '2 yr Degree', '4 yr Degree', 'Advanced Degree',
        'Unknown', 'Primary', 'Secondary'][1 + i // 10 % 7]""",
    "cd_purchase_estimate": "500 + 500 * (i // 70 % 4)",
    "cd_dep_count": "i % 7",
    "cd_dep_employed_count": "i % 5",
    "cd_dep_college_count": "i % 4",
    "hd_dep_count": "i % 10",
    "hd_vehicle_count": "i // 10 % 4",
    "hd_income_band_sk": "1 + i % 20",
    "ib_lower_bound": "CASE WHEN i = 3 THEN 38128 ELSE i * 10000 END",
    "ib_upper_bound": "CASE WHEN i = 3 THEN 88128 ELSE (i + 1) * 10000 END",
    "c_birth_day": "1 + i % 28",
    "c_birth_month": "1 + i % 12",
    "c_birth_year": "1930 + i % 60",
    "ca_gmt_offset": "CASE WHEN i % 3 = 2 THEN -6 ELSE -5 END",
    "cc_gmt_offset": "-5",
    "s_gmt_offset": "-5",
    "s_market_id": "7 + i % 2",
    "s_number_employees": "200 + 20 * i",
    "s_floor_space": "1000 * (i + 1)",
    "i_current_price": "[9.99, 0.99, 1.2, 62, 64, 68, 75, 20, 30, 45][1 + i % 10]",
    "i_wholesale_cost": "0.5 + i % 10",
    "i_manager_id": "[1, 8, 28, 3, 7][1 + i % 5]",
    "i_manufact_id": """[128, 129, 270, 821, 423, 677, 940, 694, 808, 738, 350, 977, 40]
        [1 + i % 13]""",
    "i_brand_id": "1001001 + i % 8",
    "i_class_id": "1 + i % 14",
    "i_category_id": "1 + i % 9",
    "i_manufact": "'maker ' || i % 13",
    "i_rec_start_date": f"DATE '{FIRST_DAY}'",
    "inv_date_sk": f"{DATE_SK} + 700 + i // {2 * ITEMS} * 40",
    "inv_item_sk": f"1 + i % {ITEMS}",
    "inv_warehouse_sk": f"1 + i // {ITEMS} % 2",
    "inv_quantity_on_hand": "(i * 37) % 600",
    "wp_char_count": "5000 + 100 * i",
    "w_warehouse_sq_ft": "100000 * (i + 1)",
    "t_time_sk": "300 * i",
    "t_time": "300 * i",
    "t_hour": "i // 12",
    "t_minute": "5 * (i % 12)",
    "t_second": "0",
    "d_date": "day",
    "d_year": "year(day)",
    "d_moy": "month(day)",
    "d_dom": "day(day)",
    "d_dow": "dayofweek(day)",
    "d_qoy": "quarter(day)",
    "d_month_seq": "(year(day) - 1900) * 12 + month(day) - 1",
    "d_week_seq": "5113 + (i + 4) // 7",
    "d_quarter_seq": "(year(day) - 1900) * 4 + quarter(day)",
    "d_fy_year": "year(day)",
    "d_day_name": "dayname(day)",
    "d_quarter_name": "year(day) || 'Q' || quarter(day)",
    "cc_class": "'large'",
}
KEYS = re.compile(
    r".*_(date|time|item|customer|cdemo|hdemo|addr|store|promo|call_center|catalog_page|ship_mode"
    r"|warehouse|web_page|web_site|reason)_sk"
)
TARGETS = {
    "item": "item",
    "customer": "customer",
    "cdemo": "customer_demographics",
    "hdemo": "household_demographics",
    "addr": "customer_address",
    "promo": "promotion",
}


def database() -> duckdb.DuckDBPyConnection:
    """The 24 tables, in memory."""
    connection = duckdb.connect()
    for name, columns in tables():
        body = ", ".join(f"{column} {kind}" for column, kind in columns)
        connection.execute(f"CREATE TABLE {name} ({body})")
        values = ", ".join(
            f"{expression(name, column, kind, number)} AS {column}"
            for number, (column, kind) in enumerate(columns)
        )
        lines = f"SELECT i, DATE '{FIRST_DAY}' + i::INTEGER AS day FROM range({ROWS[name]}) AS r(i)"
        prefix = columns[-1][0].split("_")[0]
        if prefix in RETURNS:
            lines = _returned(prefix)
        connection.execute(f"INSERT INTO {name} SELECT {values} FROM ({lines})")
    return connection


def tables() -> list[tuple[str, list[tuple[str, str]]]]:
    """The standard's tables with their columns and types; sales before returns."""
    found = []
    for made in re.finditer(r"CREATE TABLE (\w+)\((.*?)\);", (HERE / "schema.sql").read_text()):
        columns = re.findall(r"(\w+) (DECIMAL\(\d+,\d+\)|\w+)(?:, |$)", made[2])
        found.append((made[1], columns))
    return sorted(found, key=lambda table: table[0].endswith("_returns"))


def expression(table: str, column: str, kind: str, salt: int) -> str:
    """What stands in a column, as SQL over the row's number i."""
    prefix = column.split("_")[0]
    if column in EXPRESSIONS:
        return EXPRESSIONS[column]
    if column in LISTS:
        options = ", ".join("'" + word.replace("'", "''") + "'" for word in LISTS[column])
        return f"[{options}][1 + {_turn(column, len(LISTS[column]))}]"
    if prefix in SALES:
        return _sold(prefix, column, kind, salt)
    if prefix in RETURNS:
        return _given_back(prefix, column, kind, salt)
    if salt == 0:
        return f"{DATE_SK} + i" if table == "date_dim" else "i + 1"
    if KEYS.fullmatch(column) or column == "c_last_review_date_sk":
        return _key(column, salt)
    if kind == "VARCHAR":
        long = column.endswith("_id")
        return f"printf('{'A' * 8}%08d', i)" if long else f"'{column} ' || i % 5"
    if kind == "DATE":
        return "NULL"
    return f"{mixed(salt, '9')} + 1"


def _turn(column: str, count: int) -> str:
    """Items and people have all combinations; small tables have each value in turn."""
    strides = {"i_class": 2, "i_color": 5, "i_size": 3, "i_units": 7, "i_brand": 1}
    if column.startswith(("c_", "ca_")):
        return mixed(len(column), str(count))
    return f"(i * {strides.get(column, 1)} + i // 9) % {count}"


def _key(column: str, salt: int, number: str = "i") -> str:
    kind = KEYS.fullmatch(column)
    name = kind[1] if kind else "date"
    if name == "date":
        return f"{DATE_SK} + {mixed(salt, str(DAYS), number)}"
    if name == "time":
        return f"300 * {mixed(salt, '288', number)}"
    return f"1 + {mixed(salt, str(ROWS[TARGETS.get(name, name)]), number)}"


def _sold(prefix: str, column: str, kind: str, salt: int) -> str:
    """A line of an order: each customer has as many, four to an order, of an item each."""
    lines = SALES[prefix]
    order = "(i // 4)"
    if column.endswith(("ticket_number", "order_number")):
        return f"{order} + 1"
    if column.endswith("_item_sk"):
        return f"1 + ({order} * 31 + i % 4 * 17) % {ITEMS}"
    if column in NULLS:
        known = _key(column, salt, order)
        known = f"1 + i // {lines}" if column.endswith("customer_sk") else known
        return f"CASE WHEN {order} % {NULLS[column]} = 7 THEN NULL ELSE {known} END"
    if column.endswith("customer_sk"):
        return f"1 + i // {lines}"
    if column.endswith("sold_date_sk"):
        return f"{DATE_SK} + {mixed(3, str(DAYS - 200), order)}"
    if column.endswith("ship_date_sk"):
        sold = _sold(prefix, f"{prefix}_sold_date_sk", kind, salt)
        return f"{sold} + {mixed(salt, '140')}"
    if KEYS.fullmatch(column):
        # All lines of an order have one place, one household, one address; not one warehouse.
        whole = column.endswith(("addr_sk", "demo_sk", "time_sk", "store_sk", "web_site_sk"))
        known = _key(column, salt, order if whole else "i")
        return known if whole else _sometimes(column, known)
    if column.endswith("quantity"):
        return f"1 + {mixed(2, '100')}"
    return _money(column, salt)


def _sometimes(column: str, key: str) -> str:
    """No promotion for one line in five."""
    return f"CASE WHEN i % 5 = 4 THEN NULL ELSE {key} END" if "promo" in column else key


NULLS = {"ss_store_sk": 40, "cs_ship_addr_sk": 24, "ws_ship_customer_sk": 24}
"""Columns that are NULL for one order in so many."""


def _money(column: str, salt: int) -> str:
    limit = 200
    if "profit" in column:
        return f"{mixed(salt, '6000')} / 2.0 - 500"
    if "_ext_" in column or "net_" in column or "_paid" in column:
        limit = 2000
    return f"{mixed(salt, str(limit * 4))} / 4.0"


def _returned(prefix: str) -> str:
    sales, _, each = RETURNS[prefix]
    table = {"ss": "store_sales", "cs": "catalog_sales", "ws": "web_sales"}[sales]
    number = "ss_ticket_number" if sales == "ss" else f"{sales}_order_number"
    return (
        f"SELECT *, row_number() OVER (ORDER BY {number}, {sales}_item_sk) - 1 AS i FROM {table}"
        f" QUALIFY i % {each} = {each - 1}"
    )


def _given_back(prefix: str, column: str, kind: str, salt: int) -> str:
    """A line that comes back: what its sale says, a few days later."""
    sales = RETURNS[prefix][0]
    name = column.split("_", 1)[1]
    if name == "returned_date_sk":
        return f"{sales}_sold_date_sk + 1 + i % 90"
    for mine, theirs in (
        ("refunded_", "" if sales == "ss" else "bill_"),
        ("returning_", "" if sales == "ss" else "bill_"),
    ):
        if name.startswith(mine) and KEYS.fullmatch(column):
            return f"{sales}_{theirs}{name.removeprefix(mine)}"
    if name == "return_quantity":
        return f"{sales}_quantity"
    columns = dict(tables())[{"ss": "store_sales", "cs": "catalog_sales", "ws": "web_sales"}[sales]]
    if f"{sales}_{name}" in dict(columns):
        return f"{sales}_{name}"
    if KEYS.fullmatch(column):
        return _key(column, salt)
    return _money(column, salt)
