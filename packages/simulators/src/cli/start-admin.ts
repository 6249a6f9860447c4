import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, stop } from '../shared/listen.ts';
import { parseYaml } from '../world/parse-world.ts';
import { serviceNames, type World } from '../world/start-world.ts';
import { WorldError } from '../world/world-error.ts';

/** Admin endpoint that shows and changes the simulators while they run. */
export interface Admin {
  readonly url: string;
  readonly close: () => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** Starts the endpoint on 127.0.0.1, for programs on this machine. Rejects requests of web pages. */
export async function startAdmin(world: World, { port }: { readonly port: number }): Promise<Admin> {
  const server = createServer(async (incoming, outgoing) => {
    const answer = await answerRequest(world, incoming).catch((error: unknown) => toRefusal(error));
    send(outgoing, answer);
  });
  const url = await listen(server, { port });
  return { url, close: () => stop(server) };
}

async function answerRequest(world: World, incoming: IncomingMessage): Promise<Answer> {
  if (!isLocalProgram(incoming))
    return { status: 403, body: { error: 'This endpoint is for programs on this machine only.' } };
  const [path = ''] = (incoming.url ?? '').split('?');
  const [, room = '', name = ''] = path.split('/');
  const service = serviceNames.find((known) => known === name);
  switch (`${incoming.method} /${room}`) {
    case 'GET /':
      return { status: 200, body: world.urls() };
    case 'POST /reset':
      await world.reset();
      return { status: 200, body: world.urls() };
    case 'GET /requests':
      if (service !== undefined) return { status: 200, body: world.requests(service) };
      break;
    case 'POST /faults':
      if (service === undefined) break;
      world.fail(service, parseYaml(await readBody(incoming), 'The fault'));
      return { status: 204 };
  }
  return {
    status: 404,
    body: { error: 'Not found. Use GET /, GET /requests/NAME, POST /faults/NAME, or POST /reset.' },
  };
}

/** Tells a program from a page in a browser, which names its origin, or a host that is not this one. */
function isLocalProgram({ headers }: IncomingMessage): boolean {
  return (
    headers.origin === undefined && /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(headers.host ?? '')
  );
}

const mostBytes = 1_000_000;

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of incoming) {
    bytes += (part as Buffer).length;
    if (bytes > mostBytes) throw new WorldError('The fault is larger than 1 MB.');
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString('utf8');
}

function toRefusal(error: unknown): Answer {
  const isClients = error instanceof WorldError;
  return {
    status: isClients ? 400 : 500,
    body: { error: error instanceof Error ? error.message : String(error) },
  };
}

function send(outgoing: ServerResponse, { status, body }: Answer): void {
  outgoing.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  outgoing.end(body === undefined ? undefined : `${JSON.stringify(body)}\n`);
}
