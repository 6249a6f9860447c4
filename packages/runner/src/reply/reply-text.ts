import { removeReasoning, splitReasoning } from '@agent/text';
import { isTextCall, withoutGrowingCall } from '../text-calls/is-text-call.ts';
import { ModelError } from './model-error.ts';
import { type Speakers, toOwnTurn } from './own-turn.ts';

/** Takes reasoning and turns of others out of the replies of one model, and refuses replies that are calls of tools. */
export class ReplyText {
  /** True once a reply has closed reasoning that its template opens: such replies are not shown before that. */
  #startsInside = false;

  /** Text of a whole reply. @throws ModelError `model-text-call` for the call of a tool that is written as text */
  read(text: string, speakers: Speakers): string {
    const { answer, startsInside } = splitReasoning(text);
    this.#startsInside ||= startsInside;
    const own = toOwnTurn(answer, { speakers, isWhole: true });
    if (!isTextCall(answer === '' ? text : own, { tools: null })) return own;
    throw new ModelError('model-text-call', 'the model wrote a tool call as text');
  }

  /** Text of a reply that still grows, as far as it can be shown. */
  readGrowing(text: string, speakers: Speakers): string {
    const answer = removeReasoning(text, { isWhole: false, startsInside: this.#startsInside });
    return withoutGrowingCall(toOwnTurn(answer, { speakers, isWhole: false }));
  }
}
