/** An answer as it goes over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
}

/** A reply in JSON; `body` undefined is one without a body. */
export function jsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  if (body === undefined) return { status, headers, content: Buffer.alloc(0) };
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    content: Buffer.from(JSON.stringify(body)),
  };
}

/** A reply in plain text. */
export function textReply(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, content: Buffer.from(text) };
}

/** Answers as a proxy does when the server behind it does not. */
export function badGatewayReply(): Reply {
  return {
    status: 502,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    content: Buffer.from(
      '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n',
    ),
  };
}

/** JSON that ends too early. */
export function malformedReply(): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    content: Buffer.from('{"id":1,"body":"cut off in the mid'),
  };
}
