import type { FaultyModelRequest, ModelFault, ModelReaction } from '@agent/simulators/model';
import type { CallReport } from '../src/answers/answer-source.ts';
import { type AnswerLadder, createAnswerLadder } from '../src/answers/create-structured-output.ts';
import { understandingFormat } from '../src/understanding/request-understanding-processor.ts';
import { understandingSchema } from '../src/understanding/understanding.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { understandingAnswer } from './sample-request.ts';

/** The answer to the question, as a model should give it. */
export const good = JSON.stringify(understandingAnswer);

export const question = {
  name: 'request_understanding',
  instructions: 'Understand.',
  text: 'What is asked?',
  format: understandingFormat,
  schema: understandingSchema,
};

export interface Climb {
  readonly server: ModelServer;
  readonly ladder: AnswerLadder;
  readonly calls: CallReport[];
  /** The rungs of the requests so far. */
  readonly rungs: () => readonly FaultyModelRequest['mode'][];
}

/** A ladder on a model server on loopback. */
export async function startLadder(
  script: (request: FaultyModelRequest, index: number) => ModelReaction,
  hasChat = true,
): Promise<Climb> {
  const server = await startModelServer(script);
  const calls: CallReport[] = [];
  const ladder = createAnswerLadder({
    model: server.model,
    chatModel: hasChat ? server.chatModel : null,
    maxRetries: 0,
    onCall: (call) => void calls.push(call),
  });
  return { server, ladder, calls, rungs: () => server.requests.map(({ mode }) => mode) };
}

export function say(text: string, fault?: ModelFault): ModelReaction {
  return { kind: 'say', text, ...(fault === undefined ? {} : { fault }) };
}

export function refuse(status: number): ModelReaction {
  return { kind: 'refuse', status };
}
