"""Large games of two with opposed interests, by what is public in them."""
