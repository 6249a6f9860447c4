import type { Locale, Logger } from '@agent/text';
import { type ExpectationsOf, expected, expectNumber, expectOneOf, expectOptions } from '@agent/text/options';
import type { SecretFilters } from '@agent/text/outgoing';
import { promptExpectations, toPromptOptions, type WrapText } from '../answers/prompt-options.ts';
import type { Assumption } from '../assumption/assumption-maker.ts';
import type { CollectionStatus } from '../collection/collected-information.ts';
import { collectorExpectations, type Sleep } from '../collection/information-collector.ts';
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

/** Conditions of the options of a manager. */
export const phaseExpectations: ExpectationsOf<PrePlanningOptions> = {
  enabled: expected.flag,
  understandingThreshold: expectNumber(0, { most: 1 }),
  collectionEnabled: expected.flag,
  maxRetriesPerTool: collectorExpectations.maxRetriesPerTool,
  assumptionEnabled: expected.flag,
  assumptionThreshold: expectNumber(0, { most: 1 }),
  notifications: expectOptions({
    start: expected.flag,
    understanding: expected.flag,
    collectionStart: expected.flag,
    collectionEnd: expected.flag,
    assumption: expected.flag,
  } satisfies ExpectationsOf<NotificationOptions>),
  locale: promptExpectations.locale,
  timeZone: expected.timeZone,
  next: expectOneOf('planning', 'work'),
  maxItems: expectNumber(1, { isWhole: true }),
  parallel: collectorExpectations.parallel,
  maxPromptChars: expectNumber(1_000),
  wrap: promptExpectations.wrap,
  wrapInstruction: promptExpectations.wrapInstruction,
  secretFilters: expectOptions({ hideKnownSecrets: expected.function, redactOutgoing: expected.function }),
  details: collectorExpectations.details,
  saveState: expected.function,
  onEvent: expected.function,
  logger: expected.logger,
  now: expected.function,
  sleep: expected.function,
};

/** Fills in what an options object leaves open. */
export function toPhaseSettings(options: PrePlanningOptions) {
  const { locale = 'en', logger = null, secretFilters = {} } = options;
  const { hideKnownSecrets = asItIs, redactOutgoing = asItIs } = secretFilters;
  const { now, sleep, maxPromptChars: maxChars } = options;
  const { wrap, wrapInstruction } = options;
  return {
    enabled: options.enabled ?? true,
    collectionEnabled: options.collectionEnabled ?? true,
    understandingThreshold: options.understandingThreshold ?? 0.7,
    assumption: {
      enabled: options.assumptionEnabled ?? true,
      confidenceThreshold: options.assumptionThreshold ?? 0.5,
    },
    notifications: withDefaults(options.notifications ?? {}),
    prompt: toPromptOptions({ wrap, wrapInstruction, locale, maxChars }),
    collector: {
      maxRetriesPerTool: options.maxRetriesPerTool ?? 2,
      parallel: options.parallel ?? 8,
      details: options.details ?? null,
      logger,
      hideKnownSecrets,
      ...(now === undefined ? {} : { now }),
      ...(sleep === undefined ? {} : { sleep }),
    },
    notices: {
      locale,
      redactOutgoing,
      timeZone: options.timeZone ?? 'UTC',
      next: options.next ?? 'planning',
    },
    maxItems: options.maxItems ?? 50,
    saveState: options.saveState ?? (async () => undefined),
    onEvent: options.onEvent ?? (() => undefined),
    logger,
    now: now ?? systemTime,
  };
}

const asItIs = (text: string): string => text;

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

function withDefaults(given: NotificationOptions): Required<NotificationOptions> {
  const chosen = Object.entries(given).filter(([, isWanted]) => isWanted !== undefined);
  return { ...usualNotifications, ...Object.fromEntries(chosen) };
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
