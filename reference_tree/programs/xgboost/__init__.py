"""XGBoost: its models and dumps as they are read, its objectives, bins and sketch."""
