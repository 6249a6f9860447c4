import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assumedAnswers } from './assumed-answers.ts';
import { findRefusal, type SentRequest } from './find-refusal.ts';
import type { ServerAnswer, ServerRow, ServerRules } from './server-row.ts';

/** Answers that a server gives, one after the other, and the requests that it refuses meanwhile. */
export interface ServedRows {
  readonly rows: readonly ServerRow[];
  readonly rules?: ServerRules | undefined;
}

/** A model server on loopback. */
export interface ModelServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Replaces the answers that are left. After the last one, each request gets a good answer. */
  readonly serve: (rows: ServedRows) => void;
  /** Answers that no request has got yet. */
  readonly left: () => readonly ServerRow[];
}

type SentAnswer = Pick<ServerAnswer, 'status' | 'contentType' | 'text'>;

/** Starts a server that gives the answers of rows as they are, and refuses what the real server refuses. */
export async function startModelServer(first: ServedRows): Promise<ModelServer> {
  let served = first;
  let left = [...first.rows];
  const findAnswer = (request: SentRequest): SentAnswer => {
    const { rules = {} } = served;
    const refusal = served.rows
      .map((row) => findRefusal(request, { row, rules }))
      .find((one) => one !== null);
    return refusal ?? left.shift() ?? { text: JSON.stringify(assumedAnswers.text.body) };
  };
  const server = createServer(async (request, response) => {
    let sent = '';
    for await (const chunk of request) sent += chunk;
    const models: SentAnswer = { text: JSON.stringify({ data: [{ id: 'm' }] }) };
    const answer = sent === '' ? models : findAnswer(JSON.parse(sent) as SentRequest);
    const { status = 200, contentType = 'application/json', text } = answer;
    response.writeHead(status, { 'content-type': contentType }).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    serve: (rows) => {
      served = rows;
      left = [...rows.rows];
    },
    left: () => left,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
