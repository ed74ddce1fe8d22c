"""The numbers of many records: columns, aggregation, statistics, intervals, calibration, charts."""
