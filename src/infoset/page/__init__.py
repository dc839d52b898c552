"""The application in the browser: its server, its protocol and, in ``static``, its pages.

:class:`~infoset.page.server.Pages` answers for one game and the members of its family,
:func:`~infoset.page.server.serve` runs it. What a page shows is computed in :mod:`infoset.analysis`
and drawn in :mod:`infoset.display`; here games are opened, solutions are waited for, and both are
put into JSON.
"""
