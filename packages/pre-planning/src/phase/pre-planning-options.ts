import { isTimeZone, type Locale, type Logger } from '@agent/text';
import type { SecretFilters } from '@agent/text/outgoing';
import { toPromptOptions, type WrapText } from '../answers/prompt-options.ts';
import type { Assumption } from '../assumption/assumption-maker.ts';
import type { CollectionStatus } from '../collection/collected-information.ts';
import type { Sleep } from '../collection/information-collector.ts';
import type { InformationNeeds } from '../collection/information-needs.ts';
import type { PrePlanningConfig } from '../config.ts';
import type { DetailStore } from '../ports.ts';
import type { RequestUnderstanding } from '../understanding/understanding.ts';
import type { PrePlanningState } from './pre-planning-state.ts';

/** Which notices are given. */
export interface NotificationOptions {
  /** Default true, as all but the last. */
  readonly start?: boolean;
  readonly understanding?: boolean;
  readonly collectionStart?: boolean;
  readonly collectionEnd?: boolean;
  /** Default false. */
  readonly assumption?: boolean;
}

/** Options of `PrePlanningManager`. @see seed 004 §9 */
export interface PrePlanningOptions {
  /** Default true. */
  readonly enabled?: boolean;
  /** Least confidence of an understanding that suffices; default 0.7. */
  readonly understandingThreshold?: number;
  /** Default true; false calls no tools and assumes nothing. */
  readonly collectionEnabled?: boolean;
  /** Default 2. */
  readonly maxRetriesPerTool?: number;
  /** Default true; false makes gaps of what could not be collected. */
  readonly assumptionEnabled?: boolean;
  /** Least confidence of an assumption that is used; default 0.5. */
  readonly assumptionThreshold?: number;
  readonly notifications?: NotificationOptions;
  /** Language of notices, and of the values that the model writes; default `en`. */
  readonly locale?: Locale;
  /** Time zone of notices, an IANA name; default `UTC`. */
  readonly timeZone?: string;
  /** Next phase, as the last notice says it: `planning` (default), in the seed's words, or `work`. */
  readonly next?: 'planning' | 'work';
  /** Items that are collected; default 50. */
  readonly maxItems?: number;
  /** Items at the same time; default 8. */
  readonly parallel?: number;
  /** Most characters of what others wrote, in one prompt; default a share of the model's window. */
  readonly maxPromptChars?: number;
  /** Encloses what others wrote; default: tags that it cannot close. */
  readonly wrap?: WrapText;
  /** Tells a model in each prompt what `wrap` does; default nothing for a `wrap` of your own. */
  readonly wrapInstruction?: string;
  /** `hideKnownSecrets` for what tools give and a model reads, `redactOutgoing` for what notices say; default none. */
  readonly secretFilters?: Partial<SecretFilters>;
  /** Keeps details that are too long for the record; default: they are cut. */
  readonly details?: DetailStore | null;
  /** Keeps the state after every step of the phase; default not at all. A rejection ends the phase. */
  readonly saveState?: (state: PrePlanningState) => Promise<void>;
  /** Told of what happens, and waited for; what it throws is logged and nothing else. */
  readonly onEvent?: (event: PrePlanningEvent) => void | Promise<void>;
  readonly logger?: Logger | null;
  readonly now?: () => Date;
  readonly sleep?: Sleep;
}

/**
 * The section of a configuration file as options of the manager.
 *
 * @example
 * toPrePlanningOptions(prePlanningConfigSchema.parse({})).understandingThreshold; // 0.7
 */
export function toPrePlanningOptions(config: PrePlanningConfig): PrePlanningOptions {
  const { understanding, collection, assumption, notification } = config;
  return {
    enabled: config.enabled,
    understandingThreshold: understanding.confidence_threshold,
    collectionEnabled: collection.enabled,
    maxRetriesPerTool: collection.max_retries_per_tool,
    assumptionEnabled: assumption.enabled,
    assumptionThreshold: assumption.confidence_threshold,
    notifications: {
      start: notification.notify_on_start,
      understanding: notification.notify_on_understanding_complete,
      collectionStart: notification.notify_on_collection_start,
      collectionEnd: notification.notify_on_collection_complete,
      assumption: notification.notify_on_assumption,
    },
  };
}

/** The options, each with its value. */
export type PhaseSettings = ReturnType<typeof toPhaseSettings>;

/** Fills in what an options object leaves open or says wrongly. */
export function toPhaseSettings(options: PrePlanningOptions) {
  const { logger = null } = options;
  const check = createOptionCheck(logger);
  const locale = check.value<Locale>('locale', options.locale, { is: isLocale, fallback: 'en' });
  const filters = check.value<Partial<SecretFilters>>('secretFilters', options.secretFilters, {
    is: isObject,
    fallback: {},
  });
  const toTextFilter = (name: keyof SecretFilters) =>
    check.value(`secretFilters.${name}`, filters[name], { is: isFunction, fallback: (text: string) => text });
  const toFlag = (name: 'enabled' | 'collectionEnabled' | 'assumptionEnabled') =>
    check.value(name, options[name], { is: isFlag, fallback: true });
  const toShare = (name: 'understandingThreshold' | 'assumptionThreshold', fallback: number) =>
    check.number(name, options[name], { least: 0, most: 1, fallback });
  const toCount = (
    name: 'maxRetriesPerTool' | 'parallel' | 'maxItems' | 'maxPromptChars',
    [least, fallback]: readonly [number, number],
  ) => Math.floor(check.number(name, options[name], { least, most: Number.POSITIVE_INFINITY, fallback }));
  return {
    enabled: toFlag('enabled'),
    collectionEnabled: toFlag('collectionEnabled'),
    understandingThreshold: toShare('understandingThreshold', 0.7),
    assumption: {
      enabled: toFlag('assumptionEnabled'),
      confidenceThreshold: toShare('assumptionThreshold', 0.5),
    },
    notifications: check.flags('notifications', options.notifications, usualNotifications),
    prompt: toPromptOptions({
      ...options,
      locale,
      maxChars: toCount('maxPromptChars', [1_000, Number.POSITIVE_INFINITY]),
    }),
    collector: {
      maxRetriesPerTool: toCount('maxRetriesPerTool', [0, 2]),
      parallel: toCount('parallel', [1, 8]),
      details: options.details ?? null,
      logger,
      hideKnownSecrets: toTextFilter('hideKnownSecrets'),
      ...(options.now === undefined ? {} : { now: options.now }),
      ...(options.sleep === undefined ? {} : { sleep: options.sleep }),
    },
    notices: {
      locale,
      redactOutgoing: toTextFilter('redactOutgoing'),
      timeZone: check.timeZone(options.timeZone),
      next: options.next === 'work' ? ('work' as const) : ('planning' as const),
    },
    maxItems: toCount('maxItems', [1, 50]),
    saveState: check.value('saveState', options.saveState, {
      is: isFunction,
      fallback: async () => undefined,
    }),
    onEvent: check.value('onEvent', options.onEvent, { is: isFunction, fallback: () => undefined }),
    logger,
    now: options.now ?? systemTime,
  };
}

const usualNotifications: Required<NotificationOptions> = {
  start: true,
  understanding: true,
  collectionStart: true,
  collectionEnd: true,
  assumption: false,
};

function systemTime(now = new Date()): Date {
  return now;
}

/** Puts the default in the place of an invalid option, and warns of it (decision X1). */
interface OptionCheck {
  /** A number from `least` to `most`; `fallback` also where it is left out. */
  readonly number: (name: string, value: number | undefined, bounds: NumberBounds) => number;
  /** The IANA name of a time zone that this system knows; `UTC` also where it is left out. */
  readonly timeZone: (value: string | undefined) => string;
  /** Anything else that a rule can tell; `fallback` also where it is left out. */
  readonly value: <Value>(name: string, value: Value | undefined, rule: ValueRule<Value>) => Value;
  /** Each of these flags under its name within `name`; what `fallback` does not name is invalid. */
  readonly flags: <Flags extends object>(
    name: string,
    values: Partial<Flags> | undefined,
    fallback: Flags,
  ) => Flags;
}

interface ValueRule<Value> {
  readonly is: (value: unknown) => boolean;
  readonly fallback: Value;
}

const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isFunction = (value: unknown): boolean => typeof value === 'function';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isLocale = (value: unknown): boolean => value === 'ja' || value === 'en';

interface NumberBounds {
  readonly least: number;
  readonly most: number;
  readonly fallback: number;
}

function createOptionCheck(logger: Logger | null): OptionCheck {
  const warn = (option: string) => logger?.warn({ option }, 'ignoring invalid option; using default');
  const check = <Value>(
    name: string,
    value: Value | undefined,
    { is, fallback }: ValueRule<Value>,
  ): Value => {
    if (value === undefined || is(value)) return value ?? fallback;
    warn(name);
    return fallback;
  };
  return {
    value: check,
    flags: (name, values, fallback) => {
      const given = typeof values === 'object' && values !== null ? Object.entries(values) : [];
      if (values !== undefined && values !== Object(values)) warn(name);
      const useful = given.filter(([key, value]) => {
        const isUseful = Object.hasOwn(fallback, key) && (value === undefined || isFlag(value));
        if (!isUseful) warn(`${name}.${key}`);
        return isUseful && value !== undefined;
      });
      return { ...fallback, ...Object.fromEntries(useful) };
    },
    number: (name, value, { least, most, fallback }) =>
      check(name, value, {
        is: (given) => typeof given === 'number' && given >= least && given <= most,
        fallback,
      }),
    timeZone: (value) =>
      check('timeZone', value, {
        is: (given) => typeof given === 'string' && isTimeZone(given),
        fallback: 'UTC',
      }),
  };
}

/**
 * Event of the phase. `notice` is Markdown for the thread, null where none is wanted; after a crash the last
 * one may come once more, so that whoever posts it looks for it first. @see seed 004 §8.1
 */
export type PrePlanningEvent =
  /** `status` is for a live view. */
  | { readonly type: 'analysis-start'; readonly status: string; readonly notice: string | null }
  | {
      readonly type: 'understanding-end';
      readonly understanding: RequestUnderstanding;
      readonly isSufficient: boolean;
      /** It takes in what was said since the first one. */
      readonly isRevised: boolean;
      readonly notice: string | null;
    }
  | { readonly type: 'collection-start'; readonly needs: InformationNeeds; readonly notice: string | null }
  | {
      readonly type: 'collection-progress';
      readonly done: number;
      readonly total: number;
      readonly notice: null;
    }
  | { readonly type: 'assumption-made'; readonly assumption: Assumption; readonly notice: string | null }
  /** The end of the phase, also when nothing was collected. */
  | { readonly type: 'collection-end'; readonly status: CollectionStatus; readonly notice: string | null };
