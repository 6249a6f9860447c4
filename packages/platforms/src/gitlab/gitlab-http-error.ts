/** An answer that is no success, in the shape that errors are translated from. */
export class GitLabHttpError extends Error {
  override readonly name = 'GitLabHttpError';
  readonly status: number;
  readonly response: { readonly headers: Readonly<Record<string, string>> };

  constructor(response: Response, body: string) {
    super(describe(body) || response.statusText || 'no reason given');
    this.status = response.status;
    this.response = { headers: Object.fromEntries(response.headers) };
  }
}

/** GitLab puts its reason in `message` (a text, a list, or an object of fields) or in `error` and `error_description`. */
function describe(body: string): string {
  const json = parsed(body);
  if (json === null) return body;
  const { message, error, error_description: description } = json;
  return [message, error, description]
    .filter((part) => part != null)
    .map(toText)
    .join(': ');
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(body);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const toText = (part: unknown) => (typeof part === 'string' ? part : JSON.stringify(part));
