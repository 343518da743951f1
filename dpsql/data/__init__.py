"""Files that come with dpsql: the demo's policy and the SQL that makes its data."""
