"""The database: transactions as plain functions, one writer, one file per group of tables."""
