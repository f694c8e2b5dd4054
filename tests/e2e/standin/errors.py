"""Discord's refusals: one exception, the usual ones ready-made, and the tree of a form's faults."""

from typing import Any

Path = tuple[str | int, ...]


class ApiError(Exception):
    """A refusal, with the status and the body Discord answers with."""

    def __init__(
        self, status: int, code: int, message: str, errors: dict[str, Any] | None = None
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.body: dict[str, Any] = {"message": message, "code": code}
        if errors:
            self.body["errors"] = errors


def unauthorized() -> ApiError:
    return ApiError(401, 0, "401: Unauthorized")


def not_found() -> ApiError:
    return ApiError(404, 0, "404: Not Found")


def unknown_interaction() -> ApiError:
    return ApiError(404, 10062, "Unknown interaction")


def already_acknowledged() -> ApiError:
    return ApiError(400, 40060, "Interaction has already been acknowledged.")


def unknown_webhook() -> ApiError:
    return ApiError(404, 10015, "Unknown Webhook")


def invalid_webhook_token() -> ApiError:
    return ApiError(401, 50027, "Invalid Webhook Token")


def unknown_message() -> ApiError:
    return ApiError(404, 10008, "Unknown Message")


def empty_message() -> ApiError:
    return ApiError(400, 50006, "Cannot send an empty message")


def malformed_json() -> ApiError:
    return ApiError(400, 50109, "The request body contains invalid JSON.")


def too_many_commands(limit: int) -> ApiError:
    return ApiError(400, 30032, f"Maximum number of application commands reached ({limit}).")


def too_many_follow_ups() -> ApiError:
    return ApiError(400, 40094, "This interaction has reached the maximum number of follow-ups")


class Form:
    """Collects what is wrong with a request body, each fault at its place."""

    def __init__(self) -> None:
        self.errors: dict[str, Any] = {}

    def refuse(self, path: Path, code: str, message: str) -> None:
        """Note one fault."""
        node = self.errors
        for key in path:
            node = node.setdefault(str(key), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def required(self, path: Path) -> None:
        """Note that something is missing."""
        self.refuse(path, "BASE_TYPE_REQUIRED", "This field is required")

    def length(self, path: Path, value: Any, most: int, least: int = 0) -> None:
        """Check how long a text (in code points) or a list is."""
        if value is None:
            return
        if not isinstance(value, str | list):
            self.refuse(path, "BASE_TYPE_BAD_TYPE", "Value is of the wrong type.")
        elif least and not least <= len(value) <= most:
            message = f"Must be between {least} and {most} in length."
            self.refuse(path, "BASE_TYPE_BAD_LENGTH", message)
        elif len(value) > most:
            message = f"Must be {most} or fewer in length."
            self.refuse(path, "BASE_TYPE_MAX_LENGTH", message)

    def filled(self, path: Path, value: Any, most: int) -> None:
        """Check a text that must be there and must show something."""
        if not isinstance(value, str) or not value.strip():
            self.required(path)
        else:
            self.length(path, value, most)

    def number(self, path: Path, value: Any, least: int, most: int) -> None:
        """Check a whole number's range."""
        if value is None:
            return
        if isinstance(value, bool) or not isinstance(value, int):
            self.refuse(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
        elif value < least:
            message = f"int value should be greater than or equal to {least}."
            self.refuse(path, "NUMBER_TYPE_MIN", message)
        elif value > most:
            message = f"int value should be less than or equal to {most}."
            self.refuse(path, "NUMBER_TYPE_MAX", message)

    def one_of(self, path: Path, value: Any, choices: tuple[Any, ...]) -> None:
        """Check a value that must be one of a few."""
        if value not in choices:
            listed = ", ".join(map(str, choices))
            self.refuse(path, "BASE_TYPE_CHOICES", f"Value must be one of ({listed}).")

    def finish(self) -> None:
        """Raise ApiError when anything was refused."""
        if self.errors:
            raise ApiError(400, 50035, "Invalid Form Body", self.errors)
