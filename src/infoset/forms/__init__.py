"""The same game as matrices."""

from infoset.forms.normal import NormalForm, normal_form, normal_size

__all__ = ["NormalForm", "normal_form", "normal_size"]
