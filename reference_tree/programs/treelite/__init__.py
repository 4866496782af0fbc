"""treelite: models of boosted trees and of forests that it has taken over, as its JSON has them."""
