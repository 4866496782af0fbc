"""PMML: models in the language of the Data Mining Group as they are read."""
