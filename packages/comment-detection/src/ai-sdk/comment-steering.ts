import type { CallOptions } from '@agent/platforms';
import type { Experimental_Steering as Steering } from 'ai';
import type { DeliveryReceipt, InboxDelivery } from '../changes.ts';
import {
  CommentDetectionError,
  type FailureListener,
  heedFailure,
  heedPoll,
} from '../comment-detection-error.ts';
import type { CommentDetectionManager } from '../comment-detection-manager.ts';
import { type CommentInbox, createDeliveries } from '../comment-inbox.ts';
import { reportUndelivered } from '../running-call.ts';

type SteeringNotDelivered = Extract<Awaited<ReturnType<Steering['steer']>>, { reason: string }>['reason'];

const maxPauseMs = 30_000;
const leftOut =
  'The prepareStep of the agent left the comments out of its request, so the model has not received them. Return the `messages` that it is given, or add its `experimental_steeringMessages` and those of its `steps`.';

/** The part of an SDK step that says whether the model wants to go on. */
export interface EndedStep {
  readonly finishReason: string;
  readonly toolCalls: readonly { readonly providerExecuted?: boolean | undefined }[];
}

/** Limits on how long and how often a call listens, and who is told. */
export interface SteeringRules {
  readonly maxWaitMs: number;
  readonly maxRounds: number;
  readonly onDelivered: ((receipt: DeliveryReceipt) => Promise<void> | void) | undefined;
  readonly onError: FailureListener | undefined;
  readonly sleep: (milliseconds: number, options: CallOptions) => Promise<void>;
}

export interface CommentSteeringOptions extends CallOptions {
  readonly manager: CommentDetectionManager;
  readonly steering: Pick<Steering, 'steer'>;
  readonly rules: SteeringRules;
}

/** Listens during one call of an agent: before the first step, between steps, and before the end. */
export class CommentSteering {
  readonly #options: CommentSteeringOptions;
  readonly #inbox: Pick<CommentInbox, 'takeDelivery' | 'markDelivered'>;
  #handed: DeliveryReceipt | null = null;
  #inRequest: DeliveryReceipt | null = null;
  #isLeftOut = false;
  #isLeftOutSaid = false;
  #rounds = 0;

  constructor(options: CommentSteeringOptions) {
    this.#options = options;
    this.#inbox = createDeliveries(options.manager);
  }

  /** Learns what is history: all that is said from now on will be heard. */
  async startListening(): Promise<void> {
    const { manager, rules } = this.#options;
    if (!manager.initialized) heedPoll(await manager.initialize(), rules.onError);
  }

  async beforeFirstStep(): Promise<void> {
    this.#hand((await this.#take(false)).delivery);
  }

  /** Counts as delivered what the model was told, once it has answered: before anybody else hears of the step. */
  async settleStep(): Promise<void> {
    const receipt = this.#inRequest;
    if (receipt === null) return;
    this.#inRequest = null;
    this.#inbox.markDelivered(receipt);
    await this.#options.rules.onDelivered?.(receipt);
  }

  /** Leaves undelivered what went with a request that failed. */
  dropStep(): void {
    this.#inRequest = null;
  }

  async afterStep(step: EndedStep): Promise<void> {
    this.#sayLeftOut();
    if (this.#handed !== null || step.finishReason === 'error') return;
    const goesOn = step.toolCalls.some(({ providerExecuted }) => providerExecuted !== true);
    if (goesOn) this.#hand((await this.#take(false)).delivery);
    else await this.#passBarrier();
  }

  /** Reports what the call did not deliver, unless it was left out, which is said already. */
  reportUndelivered(): void {
    const { manager, rules, signal } = this.#options;
    if (signal?.aborted || this.#isLeftOut) return;
    const { maxRounds, onError } = rules;
    const reason =
      this.#rounds >= maxRounds
        ? `Comments have kept it from ending ${maxRounds} times (maxRounds).`
        : 'Its stop condition was met, or comments of untrusted users do not keep it from ending.';
    reportUndelivered(manager, { reason, onError });
  }

  /** A round for a message that the agent leaves out of its requests would be one more answer to nothing. */
  async #passBarrier(): Promise<void> {
    if (this.#isLeftOut) return;
    if (this.#rounds >= this.#options.rules.maxRounds) {
      // For the report alone.
      await this.#take(true);
      return;
    }
    const delivery = await this.#pollBeforeEnd();
    if (delivery === null) return;
    this.#rounds += 1;
    this.#hand(delivery);
  }

  #sayLeftOut(): void {
    if (!this.#isLeftOut || this.#isLeftOutSaid) return;
    this.#isLeftOutSaid = true;
    heedFailure(
      new CommentDetectionError(leftOut, { code: 'left-out', isPermanent: true }),
      this.#options.rules.onError,
    );
  }

  async #pollBeforeEnd(): Promise<InboxDelivery | null> {
    const { signal, rules } = this.#options;
    let leftMs = rules.maxWaitMs;
    for (let pauseMs = 1000; ; pauseMs *= 2) {
      const { status, delivery } = await this.#take(true);
      if (status === 'checked' || delivery !== null) return delivery;
      if (leftMs <= 0) break;
      const waitMs = Math.min(pauseMs, maxPauseMs, leftMs);
      await rules.sleep(waitMs, { signal });
      leftMs -= waitMs;
    }
    const message = `The call ended although its thread could not be read for ${rules.maxWaitMs} ms; newer comments are delivered at the next call.`;
    heedFailure(
      new CommentDetectionError(message, { code: 'ended-unheard', isPermanent: false }),
      rules.onError,
    );
    return null;
  }

  async #take(barrier: boolean): ReturnType<CommentInbox['takeDelivery']> {
    const taken = await this.#inbox.takeDelivery({ barrier, signal: this.#options.signal });
    if (!this.#options.signal?.aborted) heedPoll(taken, this.#options.rules.onError);
    return taken;
  }

  /** The SDK puts the message before its next request; what it could not place is offered again later. */
  #hand(delivery: InboxDelivery | null): void {
    if (delivery === null) return;
    this.#handed = delivery.receipt;
    const settle = (outcome: 'delivered' | SteeringNotDelivered) => {
      this.#handed = null;
      this.#isLeftOut = outcome === 'removed-by-prepare-step';
      if (outcome === 'delivered') this.#inRequest = delivery.receipt;
    };
    this.#options.steering.steer(delivery.text).then(
      (outcome) => settle(outcome.type === 'delivered' ? 'delivered' : outcome.reason),
      () => settle('error'),
    );
  }
}
