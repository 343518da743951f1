"""How far off an answer is at which ε, in marimo: `marimo edit examples/marimo_shop.py`."""

import marimo

__generated_with = "0.25.2"
app = marimo.App()


@app.cell
def _():
    import marimo as mo

    from dpsql import demo

    return demo, mo


@app.cell
def _(demo):
    db = demo.database()
    query = """
        SELECT channel, COUNT(*) AS orders, AVG(rating) AS rating
        FROM orders WHERE ordered_on >= DATE '2025-01-01' GROUP BY channel
    """
    return db, query


@app.cell
def _(mo):
    eps = mo.ui.slider(steps=[0.05, 0.1, 0.2, 0.5, 1, 2], value=0.5, label="ε", show_value=True)
    eps
    return (eps,)


@app.cell
def _(db, eps, query):
    # Reads no data and is free, so it follows the slider.
    explanation = db.explain(query, eps=eps.value)
    explanation
    return (explanation,)


@app.cell
def _(explanation, mo):
    ask = mo.ui.run_button(label=f"Run it, for {explanation.cost}")
    ask
    return (ask,)


@app.cell
def _(ask, db, eps, mo, query):
    mo.stop(not ask.value, f"Nothing is charged before you press the button: {db.budget}.")
    answer = db.run(query, eps=eps.value)
    mo.vstack([answer, f"{db.budget}"])
    return (answer,)


if __name__ == "__main__":
    app.run()
