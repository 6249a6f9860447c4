/** A refusal of the real GitLab's: its status and its body. Thrown by the state, answered by the routes. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(typeof body === 'string' ? body : JSON.stringify(body));
    this.name = 'Refusal';
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** `{"message": …}`, as GitLab words most refusals. */
export function refuse(status: number, message: unknown): Refusal {
  return new Refusal(status, { message });
}

/** `{"error": …}` with 400, as parameters that do not fit are refused. @see https://docs.gitlab.com/api/rest/troubleshooting/ */
export function badParameters(error: string): Refusal {
  return new Refusal(400, { error });
}

/** 400 with the complaints about each attribute of a record. */
export function invalidRecord(attributes: Readonly<Record<string, readonly string[]>>): Refusal {
  return refuse(400, attributes);
}

/** 400 with what was wrong in words. */
export function badRequest(reason: string): Refusal {
  return refuse(400, `400 Bad request - ${reason}`);
}

/** 401: no token, or one that nobody was issued. */
export function unauthorized(): Refusal {
  return refuse(401, '401 Unauthorized');
}

/** 401 for a token that was good once. */
export function invalidToken(reason: 'revoked' | 'expired'): Refusal {
  const description =
    reason === 'revoked'
      ? 'Token was revoked. You have to re-authorize from the user.'
      : 'Token is expired. You can either do re-authorization or token refresh.';
  return new Refusal(401, { error: 'invalid_token', error_description: description });
}

/** 403 for a token whose scopes do not reach. */
export function insufficientScope(scope: string): Refusal {
  return new Refusal(403, {
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope,
  });
}

/** 403: the account may not do this. */
export function forbidden(reason?: string): Refusal {
  return refuse(403, reason ? `403 Forbidden - ${reason}` : '403 Forbidden');
}

/** 404: not there, or not to be seen by this account. `what` as in "404 Project Not Found". */
export function notFound(what?: string): Refusal {
  // Records that a query does not find are worded in another way than those that a route looks for.
  return refuse(404, what ? `404 ${what} Not Found` : '404 Not found');
}
