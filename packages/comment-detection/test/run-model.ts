import { createDeliveries } from '../src/comment-inbox.ts';
import { CommentDetectionManager, type CommentInbox, type ObservedPoll } from '../src/index.ts';
import { FakeJournal } from './fake-journal.ts';
import { PlatformModel } from './platform-model.ts';

/** A run that looks, delivers, crashes and comes back, as a runner does it. */
export class RunModel {
  readonly platform = new PlatformModel();
  readonly journal = new FakeJournal();
  /** Of the process, not of the platform: it stands on another hour. */
  #monotonic = 0;
  readonly #startedAt: string;
  #manager: CommentDetectionManager;
  #inbox: Pick<CommentInbox, 'takeDelivery' | 'markDelivered'>;

  readonly #observes: boolean;

  /** `observes`: for a run that keeps what its looks found, on a platform that proves deletions, and nothing but the journal. */
  constructor({ observes = false } = {}) {
    this.#observes = observes;
    // The platform's times are whole seconds: what shares the start's second is told apart by the opening receipt.
    this.#startedAt = new Date(this.platform.clock - 1000).toISOString();
    this.#manager = this.#createManager();
    this.#inbox = createDeliveries(this.#manager);
  }

  /** The first prompt is made of what is there; the manager begins from the same snapshot. */
  async begin(): Promise<void> {
    const { living } = this.platform;
    for (const { id } of living) this.platform.atStart.add(id);
    const snapshot = { comments: living, complete: true, cursor: null, unchanged: false };
    await this.#manager.initialize(snapshot);
    if (this.#observes) this.journal.write({ observed: this.#manager.toOpeningObservations() });
    this.journal.write({ text: 'the first prompt', receipt: this.#manager.toOpeningReceipt() });
    this.journal.sync();
  }

  /** One checkpoint. With `failing`, the line is written and its sync fails, so that it is never marked. */
  async check({ barrier = false, failing = false } = {}): Promise<boolean> {
    this.#monotonic += 2000;
    const { delivery } = await this.#inbox.takeDelivery({ barrier });
    if (delivery === null) return false;
    this.journal.write(delivery);
    if (failing) {
      this.journal.crash();
      return true;
    }
    this.journal.sync();
    this.#inbox.markDelivered(delivery.receipt);
    return true;
  }

  /** Dies between the write of a delivery and its sync, or between its sync and all that follows. */
  async crashInDelivery(synced: boolean): Promise<void> {
    this.#monotonic += 2000;
    const { delivery } = await this.#inbox.takeDelivery({ barrier: false });
    if (delivery !== null) this.journal.write(delivery);
    if (synced) this.journal.sync();
    this.crash();
  }

  save(): void {
    this.journal.state = JSON.stringify(this.#manager.toState());
  }

  /** Loses the process; another one goes on from the disk. */
  crash({ stateLost = false } = {}): void {
    this.journal.crash();
    if (stateLost) this.journal.state = null;
    const { state, receipts, heard } = this.journal;
    this.#manager = this.#createManager();
    if (this.#observes) this.#manager.restore('torn', JSON.parse(JSON.stringify(heard)));
    else this.#manager.restore(state === null ? null : JSON.parse(state), receipts);
    this.#inbox = createDeliveries(this.#manager);
  }

  /** Looks until nothing is left, on a platform that has come to rest. */
  async settle(): Promise<void> {
    this.platform.calm();
    this.#monotonic += 600_000;
    for (let round = 0; round < 5 && (await this.check({ barrier: true })); round += 1);
    await this.check({ barrier: true });
  }

  #keep(observed: ObservedPoll): void {
    this.journal.write({ observed });
    this.journal.sync();
  }

  #createManager(): CommentDetectionManager {
    const { source, provingSource } = this.platform;
    return new CommentDetectionManager(this.#observes ? provingSource : source, {
      botUsername: 'agent',
      authorityOf: () => 'trusted',
      cleanText: (text) => text,
      ...(this.#observes ? { onObserved: async (observed) => this.#keep(observed) } : {}),
      startedAt: this.#startedAt,
      monotonicNow: () => this.#monotonic,
      now: () => new Date(this.platform.clock),
      sleep: async (milliseconds) => {
        this.#monotonic += milliseconds;
      },
      timeoutSignal: () => new AbortController().signal,
    });
  }
}
