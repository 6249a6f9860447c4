import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { z } from 'zod';
import { listen, stop } from '../shared/listen.ts';
import { type AgentReply, type Dialect, dialects, type WireEvent } from './agent-dialects.ts';

/** Request of an agent for an answer of its model. */
export interface AgentModelRequest {
  /** Messages of the user, oldest first, each as it was written: results of tools stand in them too, where the format has it so. */
  readonly userMessages: readonly string[];
  /** Results of tools in the conversation. */
  readonly results: number;
  /** The body as it came, to search in. */
  readonly written: string;
}

/** A model for agents on loopback. */
export interface AgentModel {
  /** Address of the server: `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Requests that offered tools, oldest first; those without are about titles and the like. */
  readonly requests: readonly AgentModelRequest[];
  /** Method and path of all that was asked for. */
  readonly asked: readonly string[];
  readonly close: () => Promise<void>;
}

const bodySchema = z.looseObject({ tools: z.array(z.unknown()).nullish() });
const turnsSchema = z.array(z.looseObject({ role: z.string().nullish() }));

/**
 * Starts a server that streams the answers of a model in the format in which it is asked: chat completions and responses (OpenAI), messages
 * (Anthropic), contents (Gemini). It says `Fine.` where no tools are offered, and knows nothing else.
 */
export async function startAgentModel(
  answer: (request: AgentModelRequest) => AgentReply | Promise<AgentReply>,
): Promise<AgentModel> {
  const requests: AgentModelRequest[] = [];
  const asked: string[] = [];
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
    asked.push(`${incoming.method} ${pathname}`);
    const written = await readText(incoming);
    const dialect = incoming.method === 'POST' ? dialects.find(({ isTurn }) => isTurn(pathname)) : undefined;
    if (dialect === undefined) return void outgoing.writeHead(404).end('{}');
    const body = bodySchema.parse(JSON.parse(written));
    const request = readRequest(dialect, { body, written });
    const offersTools = (body.tools ?? []).length > 0;
    if (offersTools) requests.push(request);
    const reply = offersTools ? await answer(request) : { text: 'Fine.' };
    const events = dialect.toEvents(reply, `call_${request.results + 1}`);
    const isWhole = pathname.endsWith(':generateContent');
    outgoing.writeHead(200, { 'content-type': isWhole ? 'application/json' : 'text/event-stream' });
    outgoing.end(isWhole ? JSON.stringify(events[0]?.data) : events.map(writeEvent).join(''));
  };
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: Error) => outgoing.destroy(error));
  });
  const url = await listen(server);
  return { url, requests, asked, close: () => stop(server) };
}

function readRequest(
  { conversation, result }: Dialect,
  { body, written }: { readonly body: Readonly<Record<string, unknown>>; readonly written: string },
): AgentModelRequest {
  const turns = turnsSchema.parse(body[conversation]);
  const userMessages = turns.flatMap((turn) => (turn.role === 'user' ? [JSON.stringify(turn)] : []));
  return { userMessages, results: JSON.stringify(turns).split(result).length - 1, written };
}

function writeEvent({ event, data }: WireEvent): string {
  const named = event === undefined ? '' : `event: ${event}\n`;
  return `${named}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}
