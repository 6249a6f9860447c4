import { removeReasoning, splitReasoning } from '@agent/text';
import { isTextCall, withoutGrowingCall } from '../text-calls/is-text-call.ts';
import { ModelError } from './model-error.ts';

/** Takes the reasoning out of the replies of one model, and refuses replies that are calls of tools. */
export class ReplyText {
  /** True once a reply has closed reasoning that its template opens: such replies are not shown before that. */
  #startsInside = false;

  /** Text of a whole reply. @throws ModelError `model-text-call` for the call of a tool that is written as text */
  read(text: string): string {
    const { answer, startsInside } = splitReasoning(text);
    this.#startsInside ||= startsInside;
    if (!isTextCall(answer === '' ? text : answer, { tools: null })) return answer;
    throw new ModelError('model-text-call', 'the model wrote a tool call as text');
  }

  /** Text of a reply that still grows, as far as it can be shown. */
  readGrowing(text: string): string {
    return withoutGrowingCall(removeReasoning(text, { isWhole: false, startsInside: this.#startsInside }));
  }
}
