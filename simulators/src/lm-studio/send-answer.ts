import type { ServerResponse } from 'node:http';
import type { LmAnswer } from './decide-answer.ts';
import type { LmMisbehaviour } from './misbehaviour.ts';
import { listStreamEvents } from './stream-events.ts';

export interface Sending {
  readonly misbehaviour: LmMisbehaviour | null;
  readonly pace: (number: number) => Promise<void> | void;
}

/** Sends an answer whole, or half of it when it is to hang or break. */
export async function sendAnswer(
  outgoing: ServerResponse,
  answer: LmAnswer,
  sending: Sending,
): Promise<void> {
  const { misbehaviour } = sending;
  const isBroken = misbehaviour?.kind === 'hang' || misbehaviour?.kind === 'reset';
  if (isBroken && misbehaviour.at === 'headers') return breakOff(outgoing, misbehaviour.kind);
  const pieces = toPieces(answer);
  const isStream = answer.kind === 'response' && answer.isStreamed;
  const type = answer.kind === 'text' ? answer.type : isStream ? 'text/event-stream' : 'application/json';
  outgoing.writeHead(answer.kind === 'text' ? answer.status : 200, { 'content-type': type });
  const sent = isBroken ? pieces.slice(0, Math.ceil(pieces.length / 2)) : pieces;
  let words = 0;
  for (const { text, isWord } of sent) {
    if (isWord) await sending.pace(words++);
    if (outgoing.destroyed) return;
    outgoing.write(text);
  }
  if (isBroken) return breakOff(outgoing, misbehaviour.kind);
  outgoing.end();
}

function breakOff(outgoing: ServerResponse, kind: 'hang' | 'reset'): void {
  if (kind === 'reset') outgoing.socket?.destroySoon();
}

interface Piece {
  readonly text: string;
  /** Whether it carries a piece of a streamed text. */
  readonly isWord: boolean;
}

function toPieces(answer: LmAnswer): readonly Piece[] {
  if (answer.kind === 'response' && answer.isStreamed) {
    return listStreamEvents(answer.response).map((event) => ({
      text: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      isWord: event.type === 'response.output_text.delta',
    }));
  }
  const text = answer.kind === 'text' ? answer.text : JSON.stringify(answer.response);
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].map((half) => ({ text: half, isWord: false }));
}
