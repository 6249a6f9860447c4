import { setTimeout as wait } from 'node:timers/promises';
import type { CallOptions } from '@agent/platforms';
import { fitStart, type Logger } from '@agent/text';
import {
  checkOptions,
  checkValue,
  type Expectation,
  type ExpectationsOf,
  expected,
  expectNullable,
  expectNumber,
  expectPort,
} from '@agent/text/options';
import { cutWithoutSecrets } from '@agent/text/secrets';
import type { DetailStore, ReadOnlyTools, ToolAnswer } from '../ports.ts';
import {
  type CollectionRecord,
  type CollectionResult,
  type CollectionStatus,
  toCollectionStatus,
} from './collected-information.ts';
import { type InformationNeed, type InformationNeeds, noNeeds } from './information-needs.ts';

/** Options of `InformationCollector`. */
export interface CollectorOptions {
  /** More tries after a failure that may pass; default 2. @see seed 004 §5.3.1 */
  readonly maxRetriesPerTool?: number;
  /** Items at the same time; default 8. */
  readonly parallel?: number;
  /** Characters of an item in the record; default 20,000. */
  readonly maxDetailChars?: number;
  /** Keeps what is longer; default: it is cut. */
  readonly details?: DetailStore | null;
  /** Takes secrets out of outputs and reasons, before anything else is done with them; default nothing. */
  readonly hideKnownSecrets?: (text: string) => string;
  readonly logger?: Logger | null;
  readonly now?: () => Date;
  readonly sleep?: Sleep;
}

/** Conditions of the options of a collector. */
export const collectorExpectations: ExpectationsOf<CollectorOptions> = {
  maxRetriesPerTool: expectNumber(0, { isWhole: true }),
  parallel: expectNumber(1, { isWhole: true }),
  maxDetailChars: expectNumber(0),
  details: expectNullable(expectPort('save')),
  hideKnownSecrets: expected.function,
  logger: expected.logger,
  now: expected.function,
  sleep: expected.function,
};

/** Tools, as `createReadOnlyTools` returns them. */
export const expectTools: Expectation = {
  ...expectPort('list', 'call'),
  text: 'tools that createReadOnlyTools returns',
};

/** Callbacks of one collection. */
export interface CollectionRun extends CallOptions {
  /** Asked before each item, one at a time; default `go`. Items that have begun are finished. */
  readonly checkpoint?: () => Promise<'go' | 'interrupt'>;
  /** Told after each item, in the order in which they end. A rejection ends the collection. */
  readonly onRecord?: (record: CollectionRecord) => Promise<void>;
  /** Records of an earlier process: what is done is not done again. */
  readonly earlier?: readonly CollectionRecord[];
}

/** More is never kept, not even in a file: a file of this size is still opened by an editor. */
const maxOutputChars = 2_000_000;
const maxReasonChars = 500;

/**
 * Calls tools that only read, as a plan says. @see seed 004 §5, §10.2.3
 *
 * @example
 * const collector = new InformationCollector(createReadOnlyTools({ read_file: readFile }), { parallel: 4 });
 * if ((await collector.executeCollection(needs)) === 'go') console.log(collector.getCollectionStatus());
 */
export class InformationCollector {
  readonly #tools: ReadOnlyTools;
  readonly #settings: ReturnType<typeof toSettings>;
  #needs: InformationNeeds = noNeeds;
  #records = new Map<string, CollectionRecord>();

  /** @throws {TypeError} that names an option which is unknown or invalid */
  constructor(tools: ReadOnlyTools, options: CollectorOptions = {}) {
    checkValue('tools', tools, expectTools);
    checkOptions('CollectorOptions', options, collectorExpectations);
    this.#tools = tools;
    this.#settings = toSettings(options);
  }

  /** Works through the plan, then tries again what failed and may pass. Rejects only with the signal's reason. */
  async executeCollection(needs: InformationNeeds, run: CollectionRun = {}): Promise<'go' | 'interrupt'> {
    this.#needs = needs;
    const wanted = new Set(needs.collection_order);
    const earlier = (run.earlier ?? []).filter(({ result }) => wanted.has(result.info_id));
    this.#records = new Map(earlier.map((record) => [record.result.info_id, record]));
    let last = await this.#collect(
      this.#listItems((record) => record === undefined),
      run,
    );
    for (let round = 0; last === 'go' && this.#listRetries().length > 0; round += 1) {
      await this.#settings.sleep(500 * 2 ** Math.min(round, 6), { signal: run.signal });
      last = await this.retryFailedItems(run);
    }
    return last;
  }

  /** Tries once more what failed, may pass and has tries left. */
  async retryFailedItems(run: CollectionRun = {}): Promise<'go' | 'interrupt'> {
    return this.#collect(this.#listRetries(), run);
  }

  /** Reports how it went so far, as the seed's JSON. @see seed 004 §5.4 */
  getCollectionStatus(): CollectionStatus {
    const results = [...this.#records].map(([id, { result }]) => [id, result] as const);
    return toCollectionStatus(this.#needs, new Map(results));
  }

  /** The records, in the plan's order. */
  getRecords(): readonly CollectionRecord[] {
    return this.#needs.collection_order.flatMap((id) => this.#records.get(id) ?? []);
  }

  #listItems(filter: (record: CollectionRecord | undefined) => boolean): readonly InformationNeed[] {
    const items = new Map(this.#needs.required_information.map((need) => [need.id, need]));
    return this.#needs.collection_order
      .filter((id) => filter(this.#records.get(id)))
      .flatMap((id) => items.get(id) ?? []);
  }

  #listRetries(): readonly InformationNeed[] {
    const tries = 1 + this.#settings.maxRetriesPerTool;
    return this.#listItems(
      (record) => record?.failure?.isTransient === true && record.result.tool_calls_used < tries,
    );
  }

  #collect(items: readonly InformationNeed[], run: CollectionRun): Promise<'go' | 'interrupt'> {
    const { checkpoint = async () => 'go' } = run;
    let asked: Promise<'go' | 'interrupt'> = Promise.resolve('go');
    const ask = () => {
      asked = asked.then((last) => (last === 'interrupt' ? last : checkpoint()));
      return asked;
    };
    return runLimited(items, this.#settings.parallel, async (need) => {
      if ((await ask()) === 'interrupt') return 'interrupt';
      const { tool, parameters } = need.collection_method;
      const answer = await this.#tools.call({ tool, parameters, signal: run.signal });
      const record = await this.#record(need.id, answer);
      this.#records.set(need.id, record);
      await run.onRecord?.(record);
      return 'go';
    });
  }

  async #record(id: string, answer: ToolAnswer): Promise<CollectionRecord> {
    const { hideKnownSecrets, now } = this.#settings;
    const calls = this.#records.get(id)?.result.tool_calls_used ?? 0;
    const isCollected = answer.status === 'success';
    return {
      result: {
        info_id: id,
        status: isCollected ? 'collected' : 'failed',
        collected_data: isCollected
          ? await toCollectedData(
              id,
              fitWithoutSecrets(answer.output, { hideKnownSecrets, maxChars: maxOutputChars }),
              this.#settings,
            )
          : null,
        assumption_made: null,
        tool_calls_used: answer.status === 'refused' ? calls : calls + 1,
        timestamp: now().toISOString(),
      },
      failure: isCollected
        ? null
        : {
            reason: fitWithoutSecrets(answer.reason, { hideKnownSecrets, maxChars: maxReasonChars }),
            isTransient: answer.status === 'failed' && answer.isTransient,
          },
    };
  }
}

function toSettings({
  maxRetriesPerTool = 2,
  parallel = 8,
  maxDetailChars = 20_000,
  details = null,
  hideKnownSecrets = (text) => text,
  logger = null,
  now = () => new Date(),
  sleep = sleepFor,
}: CollectorOptions) {
  return { maxRetriesPerTool, parallel, maxDetailChars, details, hideKnownSecrets, logger, now, sleep };
}

/** The beginning of a text without its secrets, with a mark where it is cut. */
export function fitWithoutSecrets(
  text: string,
  {
    hideKnownSecrets,
    maxChars,
  }: { readonly hideKnownSecrets: (text: string) => string; readonly maxChars: number },
): string {
  const cut = { hideSecrets: hideKnownSecrets, maxChars: maxChars + 2, keep: 'start' } as const;
  return fitStart(cutWithoutSecrets(text, cut), maxChars);
}

/** Does work for each item, so many at a time; when one fails, no more are begun and the failure is thrown last. */
export async function runLimited<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<'go' | 'interrupt'>,
): Promise<'go' | 'interrupt'> {
  const left = [...items];
  let last: 'go' | 'interrupt' = 'go';
  const workers = Array.from({ length: Math.min(Math.max(1, limit), left.length) }, async () => {
    try {
      for (let item = left.shift(); item !== undefined; item = left.shift()) {
        if ((await work(item)) === 'interrupt') last = 'interrupt';
        if (last === 'interrupt') left.length = 0;
      }
    } catch (error) {
      left.length = 0;
      throw error;
    }
  });
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return last;
}

const summaryChars = 500;

interface DetailOptions {
  readonly maxDetailChars: number;
  readonly details: DetailStore | null;
  readonly logger: Logger | null;
}

/** The record of an output; one that is too long is kept whole elsewhere. @see decision E15 */
export async function toCollectedData(
  infoId: string,
  output: string,
  { maxDetailChars, details, logger }: DetailOptions,
): Promise<NonNullable<CollectionResult['collected_data']>> {
  if (output.length > maxDetailChars && details !== null) {
    try {
      await details.save(infoId, output);
    } catch (err) {
      logger?.warn({ infoId, err }, 'failed to save details; keeping them truncated');
    }
  }
  const summary = fitStart(
    output
      .slice(0, 4 * summaryChars)
      .replace(/\s+/g, ' ')
      .trim(),
    summaryChars,
  );
  return { summary, details: fitStart(output, maxDetailChars) };
}

/** Waits, and gives up as soon as the signal says so. */
export type Sleep = (milliseconds: number, options: CallOptions) => Promise<void>;

export const sleepFor: Sleep = async (milliseconds, { signal }) => {
  await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
};
