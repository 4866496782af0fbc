"""CatBoost: models of symmetric trees and of others, as its JSON has them."""
