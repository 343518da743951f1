import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.StringJoiner;

/** What a BI tool in Java does: looks at what there is, asks, prepares, is refused. */
public class Client {
    public static void main(String[] args) throws Exception {
        try (Connection made = DriverManager.getConnection(args[0], args[1], args[2])) {
            say("valid", made.isValid(5));
            made.setReadOnly(true);
            looks(made.getMetaData());
            asks(made);
            prepares(made, args[3]);
            refused(made);
        }
        try (Connection never = DriverManager.getConnection(args[0], args[1], "wrong")) {
            say("wrong", "let in");
        } catch (SQLException error) {
            say("wrong", error.getErrorCode(), error.getSQLState());
        }
    }

    private static void looks(DatabaseMetaData about) throws SQLException {
        say("product", about.getDatabaseProductName());
        list("catalogs", about.getCatalogs(), "TABLE_CAT");
        list("tables", about.getTables("shop", null, "%", new String[] {"TABLE"}), "TABLE_NAME");
        list("one", about.getTables("shop", null, "order\\_lines", null), "TABLE_NAME");
        list("columns", about.getColumns("shop", null, "orders", "%"), "COLUMN_NAME", "DATA_TYPE");
        list("keys", about.getPrimaryKeys("shop", null, "orders"), "COLUMN_NAME");
        list("references", about.getImportedKeys("shop", null, "orders"), "PKTABLE_NAME");
        list("indexes", about.getIndexInfo("shop", null, "orders", true, false), "INDEX_NAME");
    }

    private static void asks(Connection made) throws SQLException {
        try (Statement ask = made.createStatement()) {
            ask.setQueryTimeout(60);
            ask.setFetchSize(10);
            String sql =
                    "/* eps: 0.125 */ SELECT segment, COUNT(*) AS n, AVG(birth_year) AS d,"
                            + " MAX(segment) AS m FROM customers GROUP BY segment ORDER BY segment";
            table("asked", ask.executeQuery(sql));
            ask.execute("SET @eps = 0.125");
            table("again", ask.executeQuery("SELECT COUNT(*) AS n FROM customers"));
            table("public", ask.executeQuery(
                    "SELECT product, list_price, product_id FROM products ORDER BY product_id LIMIT 2"));
        }
        made.setAutoCommit(false);
        made.commit();
        made.rollback();
        made.setAutoCommit(true);
    }

    private static void prepares(Connection made, String text) throws SQLException {
        String sql = "SELECT COUNT(*) AS n FROM orders WHERE shipping > ? AND rating >= ?";
        try (PreparedStatement ask = made.prepareStatement(sql)) {
            say("parameters", ask.getParameterMetaData().getParameterCount());
            for (int rating = 1; rating < 3; rating++) {
                ask.setBigDecimal(1, new java.math.BigDecimal("1.25"));
                ask.setInt(2, rating);
                table("prepared", ask.executeQuery());
            }
        }
        try (PreparedStatement ask =
                made.prepareStatement("SELECT COUNT(*) AS n FROM products WHERE product = ?")) {
            ask.setString(1, text);
            table("text", ask.executeQuery());
        }
    }

    private static void refused(Connection made) throws SQLException {
        try (Statement ask = made.createStatement()) {
            ask.execute("SET @eps = NULL");
            for (String sql :
                    new String[] {
                        "SELECT COUNT(*) FROM orders WHERE rating > 1.5",
                        "SELECT * FROM orders",
                        "SELECT nothing FROM orders",
                        "SELEC 1",
                        "INSERT INTO orders VALUES (1)"
                    }) {
                try {
                    ask.executeQuery(sql);
                    say("refused", "answered");
                } catch (SQLException error) {
                    say("refused", error.getErrorCode(), error.getSQLState());
                }
            }
        }
    }

    private static void list(String name, ResultSet found, String... columns) throws SQLException {
        StringJoiner every = new StringJoiner(",");
        while (found.next()) {
            StringJoiner one = new StringJoiner(":");
            for (String column : columns) {
                one.add(found.getString(column));
            }
            every.add(one.toString());
        }
        say(name, every);
    }

    private static void table(String name, ResultSet found) throws SQLException {
        ResultSetMetaData about = found.getMetaData();
        StringJoiner head = new StringJoiner(",");
        for (int i = 1; i <= about.getColumnCount(); i++) {
            head.add(about.getColumnLabel(i) + ":" + about.getColumnTypeName(i));
        }
        say(name, head);
        while (found.next()) {
            StringJoiner row = new StringJoiner(",");
            for (int i = 1; i <= about.getColumnCount(); i++) {
                row.add(String.valueOf(found.getObject(i)));
            }
            say(name, row);
        }
    }

    private static void say(String name, Object... what) {
        StringJoiner line = new StringJoiner(" ");
        for (Object one : what) {
            line.add(String.valueOf(one));
        }
        System.out.println(name + "|" + line);
    }
}
