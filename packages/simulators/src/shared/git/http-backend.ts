import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Git } from './git.ts';

export interface BackendRequest {
  /** Path below the root of all repositories: `/owner/name.git/info/refs`. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Login of who asks; null for nobody in particular. */
  readonly login: string | null;
  /** Variables for the hooks; default none. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Way of an answer to the client: as it comes, or not at all (the work is done, the answer is lost). */
export type Delivery = 'stream' | 'discard';

/**
 * Serves one git request with git's own CGI program, streaming both ways. Resolves with the status when git has ended.
 * @see https://git-scm.com/docs/git-http-backend
 */
export async function serveGit(
  git: Git,
  options: {
    readonly request: BackendRequest;
    readonly incoming: IncomingMessage;
    readonly outgoing: ServerResponse;
    readonly delivery: Delivery;
    /** Done when git has ended and before the client learns of it. */
    readonly beforeEnd: () => Promise<void>;
  },
): Promise<number> {
  const { incoming, outgoing, delivery, request } = options;
  const child = git.start(['http-backend'], cgiEnvironment(git.root, { incoming, request }));
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  // Where git cannot be started at all, that is told before anybody waits for its end.
  ended.catch(() => {});
  child.stderr.resume();
  // git may end before it has read everything; what it answers says why.
  child.stdin.on('error', () => {});
  incoming.pipe(child.stdin);
  if (delivery === 'stream') outgoing.once('close', () => child.stdin.destroy());

  let head: Buffer | null = Buffer.alloc(0);
  let status = 500;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    if (head === null) {
      await send(outgoing, chunk, delivery);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) continue;
    const { status: sent, fields } = parseHeaders(head.subarray(0, end).toString('latin1'));
    const body = head.subarray(end + 4);
    head = null;
    status = sent;
    if (delivery === 'stream') outgoing.writeHead(status, fields);
    await send(outgoing, body, delivery);
  }
  await ended;
  await options.beforeEnd();
  if (delivery === 'stream') {
    if (head !== null) outgoing.writeHead(500, { 'content-type': 'text/plain' });
    outgoing.end();
    await finished(outgoing).catch(() => {});
  }
  return status;
}

async function send(outgoing: ServerResponse, chunk: Buffer, delivery: Delivery): Promise<void> {
  if (delivery === 'discard' || outgoing.destroyed || outgoing.write(chunk)) return;
  await new Promise<void>((resolve) => {
    const goOn = () => {
      outgoing.off('drain', goOn).off('close', goOn);
      resolve();
    };
    outgoing.once('drain', goOn).once('close', goOn);
  });
}

function cgiEnvironment(
  root: string,
  { incoming, request }: { readonly incoming: IncomingMessage; readonly request: BackendRequest },
): Record<string, string> {
  const { headers } = incoming;
  const protocol = String(headers['git-protocol'] ?? '');
  return {
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    GATEWAY_INTERFACE: 'CGI/1.1',
    SERVER_PROTOCOL: 'HTTP/1.1',
    REQUEST_METHOD: incoming.method ?? 'GET',
    PATH_INFO: request.path,
    QUERY_STRING: request.query,
    CONTENT_TYPE: headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
    HTTP_GIT_PROTOCOL: protocol,
    GIT_PROTOCOL: protocol,
    REMOTE_ADDR: '127.0.0.1',
    ...(headers['content-length'] ? { CONTENT_LENGTH: headers['content-length'] } : {}),
    ...(request.login ? { REMOTE_USER: request.login } : {}),
    ...request.variables,
  };
}

function parseHeaders(text: string): { readonly status: number; readonly fields: Record<string, string> } {
  const fields: Record<string, string> = {};
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    fields[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const { status, ...rest } = fields;
  return { status: Number.parseInt(status ?? '200', 10), fields: rest };
}
