import type { FaultyModelRequest, ModelFault, ModelReaction } from '@agent/simulators/model';
import type { CallReport } from '../src/answers/answer-source.ts';
import { createStructuredOutput, type StructuredOutput } from '../src/answers/create-structured-output.ts';
import { understandingFormat } from '../src/understanding/request-understanding-processor.ts';
import { understandingSchema } from '../src/understanding/understanding.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { understandingAnswer } from './sample-request.ts';

/** The answer to the question, as a model should give it. */
export const good = JSON.stringify(understandingAnswer);

export const question = {
  name: 'request_understanding',
  instructions: 'Understand.',
  write: () => 'What is asked?',
  format: understandingFormat,
  schema: understandingSchema,
};

export interface Climb {
  readonly server: ModelServer;
  readonly output: StructuredOutput;
  readonly calls: CallReport[];
  /** The modes of the requests so far. */
  readonly modes: () => readonly FaultyModelRequest['mode'][];
}

/** A output on a model server on loopback. */
export async function startLadder(
  script: (request: FaultyModelRequest, index: number) => ModelReaction,
  hasChat = true,
): Promise<Climb> {
  const server = await startModelServer(script);
  const calls: CallReport[] = [];
  const output = createStructuredOutput({
    model: server.model,
    chatModel: hasChat ? server.chatModel : null,
    maxRetries: 0,
    onCall: (call) => void calls.push(call),
  });
  return { server, output, calls, modes: () => server.requests.map(({ mode }) => mode) };
}

export function say(text: string, fault?: ModelFault): ModelReaction {
  return { kind: 'say', text, ...(fault === undefined ? {} : { fault }) };
}

export function refuse(status: number): ModelReaction {
  return { kind: 'refuse', status };
}
