import type { Experimental_Steering as Steering } from 'ai';
import type { DeliveryReceipt } from '../changes.ts';
import type { CommentInbox, InboxDelivery } from '../comment-inbox.ts';
import type { CallOptions } from '../ports.ts';

/** Waits of the finish barrier when the thread cannot be read: a minute in all. @see decision B21 */
const barrierWaitsMs: readonly number[] = [1000, 2000, 4000, 8000, 15_000, 30_000];
/** How often comments may keep a call from ending. */
const maxRounds = 5;

/** The part of an SDK step that says whether the model wants to go on. */
export interface EndedStep {
  readonly finishReason: string;
  readonly toolCalls: readonly { readonly providerExecuted?: boolean | undefined }[];
}

export interface EarOptions extends CallOptions {
  readonly inbox: CommentInbox;
  readonly steering: Steering;
  readonly sleep: (milliseconds: number, options: CallOptions) => Promise<void>;
}

/** Listens during one call of an agent: before the first step, between steps, and before the end. */
export class CommentEar {
  readonly #options: EarOptions;
  #handed: DeliveryReceipt | null = null;
  #inRequest: DeliveryReceipt | null = null;
  #rounds = 0;

  constructor(options: EarOptions) {
    this.#options = options;
  }

  async beforeFirstStep(): Promise<void> {
    this.#hand((await this.#take(false)).delivery);
  }

  /** What the model was told counts as delivered once it has answered; then the next look is made. */
  async afterStep(step: EndedStep): Promise<void> {
    if (this.#inRequest !== null) this.#options.inbox.markDelivered(this.#inRequest);
    this.#inRequest = null;
    if (this.#handed !== null || step.finishReason === 'error') return;
    const goesOn = step.toolCalls.some(({ providerExecuted }) => providerExecuted !== true);
    if (goesOn) this.#hand((await this.#take(false)).delivery);
    else await this.#passBarrier();
  }

  async #passBarrier(): Promise<void> {
    if (this.#rounds >= maxRounds) return;
    const { signal, sleep } = this.#options;
    let look = await this.#take(true);
    for (const milliseconds of barrierWaitsMs) {
      if (look.status === 'checked' || look.delivery !== null) break;
      await sleep(milliseconds, { signal });
      look = await this.#take(true);
    }
    if (look.delivery === null) return;
    this.#rounds += 1;
    this.#hand(look.delivery);
  }

  #take(barrier: boolean): ReturnType<CommentInbox['takeDelivery']> {
    return this.#options.inbox.takeDelivery({ barrier, signal: this.#options.signal });
  }

  /** The SDK puts the message before its next request; what it could not place is offered again later. */
  #hand(delivery: InboxDelivery | null): void {
    if (delivery === null) return;
    this.#handed = delivery.receipt;
    const settle = (isPlaced: boolean) => {
      this.#handed = null;
      if (isPlaced) this.#inRequest = delivery.receipt;
    };
    this.#options.steering.steer(delivery.text).then(
      ({ type }) => settle(type === 'delivered'),
      () => settle(false),
    );
  }
}
