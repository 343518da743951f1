"""A report on the demo shop, within a budget: `python examples/shop.py`."""

import dpsql
from dpsql import demo

QUERIES = {
    "Orders by year": """
        SELECT YEAR(ordered_on) AS year, COUNT(*) AS orders
        FROM orders GROUP BY YEAR(ordered_on) ORDER BY year
    """,
    "Turnover by category": """
        SELECT p.category, SUM(l.price * l.quantity) AS turnover
        FROM order_lines AS l JOIN products AS p ON p.product_id = l.product_id
        GROUP BY p.category ORDER BY turnover DESC
    """,
    "Rating and share of gifts by channel": """
        SELECT channel, AVG(rating) AS rating,
               AVG(CASE WHEN gift THEN 1 ELSE 0 END) AS gifts
        FROM orders GROUP BY channel
    """,
}


def main() -> None:
    """Explain each query, run it if it is cheap enough, and say what is left."""
    with demo.database() as db:
        for title, query in QUERIES.items():
            explanation = db.explain(query, eps=2)
            noise = ", ".join(f"{r.name} ± {r.interval():,.4g}" for r in explanation.releases)
            print(f"{title} ({explanation.cost}; {noise})")
            print(db.run(query, eps=2), end="\n\n")
        print(db.budget)
        try:
            db.run("SELECT COUNT(*) FROM customers", eps=5)
        except dpsql.BudgetExceeded as error:
            print(error)


if __name__ == "__main__":
    main()
