"""The same game as matrices."""

from infoset.forms.normal import normal_form

__all__ = ["normal_form"]
