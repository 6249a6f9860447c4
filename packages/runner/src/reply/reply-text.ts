import { removeReasoning, splitReasoning } from '@agent/text';

/** Takes the reasoning out of the replies of one model. */
export class ReplyText {
  /** True once a reply has closed reasoning that its template opens: such replies are not shown before that. */
  #startsInside = false;

  /** Text of a whole reply. */
  read(text: string): string {
    const { answer, startsInside } = splitReasoning(text);
    this.#startsInside ||= startsInside;
    return answer;
  }

  /** Text of a reply that still grows, as far as it can be shown. */
  readGrowing(text: string): string {
    return removeReasoning(text, { isWhole: false, startsInside: this.#startsInside });
  }
}
