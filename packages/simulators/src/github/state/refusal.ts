/** One entry of `errors` in a 422 answer. @see https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api */
export interface ValidationDetail {
  readonly resource: string;
  readonly code: 'missing' | 'missing_field' | 'invalid' | 'already_exists' | 'unprocessable' | 'custom';
  readonly field?: string;
  readonly message?: string;
  readonly value?: string | null;
}

interface RefusalParts {
  readonly status: number;
  readonly message: string;
  readonly errors?: readonly (ValidationDetail | string)[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal of the real GitHub's: its status and its message. Thrown by the state, answered by the routes. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly (ValidationDetail | string)[] | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ status, message, errors, headers = {} }: RefusalParts) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.errors = errors ?? null;
    this.headers = headers;
  }
}

/** 401 for a token that GitHub does not know. */
export function badCredentials(): Refusal {
  return new Refusal({ status: 401, message: 'Bad credentials' });
}

/** 401 for a request that needs a token and has none. */
export function requiresAuthentication(): Refusal {
  return new Refusal({ status: 401, message: 'Requires authentication' });
}

/** 403: the account, or the token, may not do this. */
export function forbidden(message = 'Must have admin rights to Repository.'): Refusal {
  return new Refusal({ status: 403, message });
}

/** How GitHub words that a token has not the permission for something. */
export function notAccessible({ kind }: { readonly kind: string }): string {
  return `Resource not accessible by ${kind === 'installation' ? 'integration' : 'personal access token'}`;
}

/** 404: not there, or not to be seen by this account; GitHub does not say which. */
export function notFound(message = 'Not Found'): Refusal {
  return new Refusal({ status: 404, message });
}

/** 409: the request is right, the resource's state is not. */
export function conflict(message: string): Refusal {
  return new Refusal({ status: 409, message });
}

/** 410: it was there once, or is switched off. */
export function gone(message: string): Refusal {
  return new Refusal({ status: 410, message });
}

/** 422 with what is wrong, field by field. */
export function validationFailed(...errors: readonly ValidationDetail[]): Refusal {
  return new Refusal({ status: 422, message: 'Validation Failed', errors });
}

/** 422 for a request that does not have the documented shape. */
export function unprocessable(message: string): Refusal {
  return new Refusal({ status: 422, message });
}

/** 422 as reviews have it: sentences instead of fields. */
export function unprocessableEntity(...errors: readonly string[]): Refusal {
  return new Refusal({ status: 422, message: 'Unprocessable Entity', errors });
}

/** 403: the repository is archived. @see https://github.com/mozilla/fxa/pull/293 */
export function readOnly(): Refusal {
  return forbidden('Repository was archived so is read-only.');
}

/** 403: only people with write access comment on a locked thread. @see https://github.com/renovatebot/renovate/issues/6215 */
export function threadIsLocked(): Refusal {
  return forbidden('Unable to create comment because issue is locked.');
}

/** 403: the token has to be authorized for an organization with single sign-on. @see https://github.com/mcanouil/quarto-wizard/pull/323 */
export function ssoRequired(): Refusal {
  return new Refusal({
    status: 403,
    message:
      'Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.',
    headers: { 'x-github-sso': 'required; url=https://github.com/orgs/acme/sso?authorization_request=A1B2' },
  });
}

/** 422: too much was created in a short time. @see https://github.com/cli/cli/issues/4801 */
export function tooQuick(): Refusal {
  return validationFailed({
    resource: 'IssueComment',
    code: 'unprocessable',
    field: 'data',
    message: 'was submitted too quickly',
  });
}
