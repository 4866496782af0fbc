"""Weka: the prints of J48, REPTree, SimpleCart and Id3 as they are read."""
