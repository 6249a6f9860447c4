import type { CallOptions } from '@agent/platforms';
import type { Logger } from '@agent/text';
import { checkOptions, checkValue, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import type { AnswerSource } from '../answers/answer-source.ts';
import { expectSource } from '../answers/answer-source.ts';
import {
  type PromptOptions,
  promptExpectations,
  toPromptOptions,
  toWrittenQuestion,
} from '../answers/prompt-options.ts';
import type { InformationNeed } from '../collection/information-needs.ts';
import { PrePlanningError } from '../pre-planning-error.ts';
import { phaseTexts, toPercent } from '../texts.ts';
import {
  type AssumptionMaterial,
  assumptionAnswerSchema,
  assumptionFormat,
  makeAssumptionPrompt,
} from './assumption-prompt.ts';
import { findForbiddenNeed, findForbiddenValue } from './forbidden/find-forbidden.ts';

/** Options of `AssumptionMaker`. */
export interface AssumptionOptions extends Partial<PromptOptions> {
  /** Default true; false makes everything that is missing a gap. */
  readonly enabled?: boolean;
  /** Least confidence of an assumption that is used; default 0.5. */
  readonly confidenceThreshold?: number;
  readonly logger?: Logger | null;
}

const expectations: ExpectationsOf<AssumptionOptions> = {
  ...promptExpectations,
  enabled: expected.flag,
  confidenceThreshold: expectNumber(0, { most: 1 }),
  logger: expected.logger,
};

/** Decision on one thing that could not be collected. */
export type AssumptionDecision =
  | { readonly kind: 'assumed'; readonly assumption: Assumption }
  | { readonly kind: 'gap'; readonly gap: InformationGap };

/** Material of an assumption, and the label that the next one gets. */
export interface AssumptionRequest extends AssumptionMaterial, CallOptions {
  readonly label: string;
}

type Draft = Omit<Assumption, 'label'>;

const defaultConfidence = 0.5;

/**
 * Assumes what could not be collected, or says that it stays unknown. @see seed 004 §6, §10.2.4
 *
 * @example
 * const maker = new AssumptionMaker(source, { confidenceThreshold: 0.6 });
 * const decision = await maker.makeAssumption({ need, label: 'A1', reason: 'not found', understanding, collected: [] });
 * if (decision.kind === 'assumed') console.log(decision.assumption.assumed_value);
 */
export class AssumptionMaker {
  readonly #source: AnswerSource;
  readonly #prompt: PromptOptions;
  readonly #enabled: boolean;
  readonly #threshold: number;
  readonly #logger: Logger | null;

  /** @throws {TypeError} that names an option which is unknown or invalid */
  constructor(source: AnswerSource, options: AssumptionOptions = {}) {
    checkValue('source', source, expectSource);
    checkOptions('AssumptionOptions', options, expectations);
    this.#source = source;
    this.#prompt = toPromptOptions(options);
    this.#enabled = options.enabled ?? true;
    this.#threshold = options.confidenceThreshold ?? 0.5;
    this.#logger = options.logger ?? null;
  }

  /** Decides on one item. Rejects only with the signal's reason. */
  async makeAssumption(request: AssumptionRequest): Promise<AssumptionDecision> {
    const { need, label } = request;
    const texts = phaseTexts[this.#prompt.locale].assumption;
    if (!this.#enabled) return { kind: 'gap', gap: toGap(need, texts.disabled) };
    const forbidden = findForbiddenNeed(need);
    if (forbidden !== null) return { kind: 'gap', gap: toGap(need, texts.forbidden(forbidden)) };
    if (!need.can_assume) return { kind: 'gap', gap: toGap(need, texts.notAssumable) };
    const written = (await this.#ask(request)) ?? toDefault(need);
    if (written === null) return { kind: 'gap', gap: toGap(need, texts.noAnswer) };
    const draft = withholdReasons(written, texts);
    const objection = this.validateAssumption(draft);
    if (objection !== null) return { kind: 'gap', gap: toGap(need, objection) };
    return { kind: 'assumed', assumption: { label, ...draft } };
  }

  /** Decides on several, one after the other; labels follow `firstNumber`, default 1. */
  async makeAssumptions(
    items: readonly Omit<AssumptionRequest, 'label'>[],
    { firstNumber = 1 }: { readonly firstNumber?: number } = {},
  ): Promise<readonly AssumptionDecision[]> {
    const decisions: AssumptionDecision[] = [];
    for (const item of items) {
      const assumed = decisions.filter(({ kind }) => kind === 'assumed').length;
      decisions.push(await this.makeAssumption({ ...item, label: `A${firstNumber + assumed}` }));
    }
    return decisions;
  }

  /** Keeps the assumptions that may be used: sure enough, not empty, and about nothing that is never assumed. */
  validateAssumptions(assumptions: readonly Assumption[]): readonly Assumption[] {
    return assumptions.filter((assumption) => this.validateAssumption(assumption) === null);
  }

  /** Gives the reason why an assumption may not be used; null when it may. */
  validateAssumption(assumption: Draft): string | null {
    const { assumed_value: value, reasoning, refuted_by: refutedBy, confidence } = assumption;
    const texts = phaseTexts[this.#prompt.locale].assumption;
    const forbidden = [value, reasoning, refutedBy].map(findForbiddenValue).find((one) => one !== null);
    if (forbidden !== undefined) return texts.forbidden(forbidden);
    if (value === '') return texts.noAnswer;
    const threshold = this.#threshold;
    return confidence < threshold ? texts.lowConfidence(toPercent(confidence, { threshold })) : null;
  }

  /** Null where the model gave nothing that could be read. */
  async #ask({ signal, ...material }: AssumptionRequest): Promise<Draft | null> {
    const { need } = material;
    try {
      const reply = await this.#source.ask({
        ...toWrittenQuestion((options) => makeAssumptionPrompt(material, options), this.#prompt),
        name: 'assumption',
        format: assumptionFormat,
        schema: assumptionAnswerSchema,
        signal,
      });
      return reply.status === 'answered' ? { ...reply.answer.assumption, info_id: need.id } : null;
    } catch (err) {
      if (!PrePlanningError.isInstance(err)) throw err;
      this.#logger?.warn({ infoId: need.id, err }, 'failed to request assumption from model');
      return null;
    }
  }
}

/** @see decision E6 */
function toDefault(need: InformationNeed): Draft | null {
  if (need.default_assumption === null) return null;
  return {
    info_id: need.id,
    assumed_value: need.default_assumption,
    reasoning: 'default_assumption',
    confidence: defaultConfidence,
    refuted_by: '',
  };
}

/**
 * Leaves out reasons that speak of what is never assumed: nobody is told of it, and an assumption that is harmless by
 * its question and its value stands, also where its reason only says that no password is needed.
 * @see decision E7
 */
function withholdReasons(draft: Draft, { withheld }: { readonly withheld: string }): Draft {
  const withhold = (text: string) => (findForbiddenValue(text) === null ? text : withheld);
  return { ...draft, reasoning: withhold(draft.reasoning), refuted_by: withhold(draft.refuted_by) };
}

/** A value taken for granted because the real one could not be had. @see seed 004 §6.3.2 */
export interface Assumption {
  /** `A1`, `A2`, …: by which people name it, and reject it. It never changes. */
  readonly label: string;
  readonly info_id: string;
  readonly assumed_value: string;
  readonly reasoning: string;
  /** A number from 0 to 1. */
  readonly confidence: number;
  /** Finding that would show it to be wrong. */
  readonly refuted_by: string;
}

/** Something that stays unknown, and what that means for the plan. @see seed 004 §7.1 */
export interface InformationGap {
  readonly info_id: string;
  readonly description: string;
  readonly impact: string;
  /** The reason why nothing stands in for it. */
  readonly reason: string;
}

/** The impact is what it was needed for, else what was planned instead. @see decision E20 */
export function toGap(need: InformationNeed, reason: string): InformationGap {
  const { id, description, purpose, fallback_strategy: fallback } = need;
  return { info_id: id, description: description || id, impact: purpose || fallback, reason };
}
