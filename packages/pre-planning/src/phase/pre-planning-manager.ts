import { checkOptions, expected } from '@agent/text/options';
import { expectSource } from '../answers/answer-source.ts';
import { type CollectionStatus, toCollectionStatus } from '../collection/collected-information.ts';
import { expectTools } from '../collection/information-collector.ts';
import { type InformationNeeds, noNeeds } from '../collection/information-needs.ts';
import type { PrePlanningRequest } from '../ports.ts';
import { isMissing } from '../pre-planning-error.ts';
import { phaseTexts } from '../texts.ts';
import { makeMinimalUnderstanding, type RequestUnderstanding } from '../understanding/understanding.ts';
import { assume } from './assume.ts';
import { collect, planNeeds } from './collect.ts';
import { formatCollectionEndNotice, formatStartNotice } from './format-notices.ts';
import { formatPlanningBlock, type PlanningBlockOptions } from './format-planning-block.ts';
import { makeResult, type PrePlanningHandOver, type PrePlanningResult } from './make-result.ts';
import {
  createPhaseParts,
  type PhaseParts,
  type PrePlanningPorts,
  type PrePlanningRun,
} from './phase-parts.ts';
import { type PrePlanningOptions, phaseExpectations, toPhaseSettings } from './pre-planning-options.ts';
import { isOutdated, type PrePlanningState } from './pre-planning-state.ts';
import { type RejectedAssumptions, type Rejection, rejectAssumptions } from './reject-assumptions.ts';
import { announceUnderstanding, understand } from './understand.ts';

/** Outcome of the phase: its result, a state to resume from, or not begun. */
export type PrePlanningOutcome =
  | { readonly status: 'done'; readonly result: PrePlanningResult }
  | { readonly status: 'interrupted'; readonly state: PrePlanningState }
  | { readonly status: 'disabled' };

/**
 * Understands a request, collects what planning needs and assumes what is missing; one for each request. @see seed 004 §10.2.1
 *
 * @example
 * const manager = new PrePlanningManager({ source, tools }, { saveState });
 * const outcome = await manager.execute({ request, state: kept });
 * if (outcome.status === 'done') prompt += formatPlanningBlock(outcome.result);
 */
export class PrePlanningManager {
  readonly #parts: PhaseParts;
  #isExecuting = false;

  /** @throws {TypeError} that names an option which is missing, unknown or invalid */
  constructor(parts: PrePlanningPorts, options: PrePlanningOptions = {}) {
    checkOptions(
      'PrePlanningPorts',
      parts,
      { source: expectSource, tools: expectTools, showComments: expected.function },
      ['source', 'tools'],
    );
    checkOptions('PrePlanningOptions', options, phaseExpectations);
    this.#parts = createPhaseParts(parts, toPhaseSettings(options));
  }

  /**
   * The whole phase, from where `state` left it; null begins anew.
   * @throws PrePlanningError when the model could not be asked: call it again with `getState()`; `invalid-input` for
   *   a request of which something is missing
   * @throws {TypeError} during another call of this manager
   */
  async execute(run: PrePlanningRun & { readonly state?: unknown }): Promise<PrePlanningOutcome> {
    checkRequest(run.request);
    if (!this.#parts.settings.enabled) return { status: 'disabled' };
    if (this.#isExecuting)
      throw new TypeError(
        'PrePlanningManager.execute is running. Wait for it, or create a manager for each request.',
      );
    this.#isExecuting = true;
    try {
      return await this.#execute(run);
    } finally {
      this.#isExecuting = false;
    }
  }

  async #execute(run: PrePlanningRun & { readonly state?: unknown }): Promise<PrePlanningOutcome> {
    const { keeper, check } = this.#parts;
    keeper.restore(run.state ?? null);
    while (keeper.state().current_subphase !== 'complete') {
      if ((await check(run)) === 'interrupt') return this.#interrupted();
      await this.#announceStart();
      // What an earlier process understood may not have been told any more.
      await announceUnderstanding(this.#parts);
      if (isOutdated(keeper.state())) await this.executeUnderstanding(run);
      if ((await this.#executeSubphase(run)) === 'interrupt') return this.#interrupted();
    }
    return { status: 'done', result: this.getResult().pre_planning_result };
  }

  /** The first sub-phase alone. */
  executeUnderstanding(run: PrePlanningRun): Promise<RequestUnderstanding> {
    return understand(this.#parts, run);
  }

  /** The second sub-phase alone. */
  executeCollectionPlanning(run: PrePlanningRun): Promise<InformationNeeds> {
    return planNeeds(this.#parts, run);
  }

  /** The third sub-phase alone; what is done is not done again. */
  executeCollection(run: PrePlanningRun): Promise<'go' | 'interrupt'> {
    return collect(this.#parts, run);
  }

  /** Assumes what could not be collected, and ends the phase. */
  async makeAssumptions(run: PrePlanningRun): Promise<'go' | 'interrupt'> {
    const { keeper } = this.#parts;
    if ((await assume(this.#parts, run)) === 'interrupt') return 'interrupt';
    if (isOutdated(keeper.state())) await this.executeUnderstanding(run);
    await this.#announceEnd();
    await keeper.update(() => ({ current_subphase: 'complete' }));
    return 'go';
  }

  /** Gives what planning is handed, as far as the phase has come. @see seed 004 §7.1 */
  getResult(): PrePlanningHandOver {
    const { keeper, settings } = this.#parts;
    const { understanding_result: found, collection_plan: needs, ...state } = keeper.state();
    const understanding = found ?? makeMinimalUnderstanding({ title: '' });
    const material = {
      understanding,
      understandingThreshold: settings.understandingThreshold,
      needs: needs ?? noNeeds,
      omitted: state.omitted_items,
      results: this.getCollectionStatus().collection_results,
      assumptions: state.assumptions,
      gaps: state.information_gaps,
      constraints: state.constraints,
    };
    return { pre_planning_result: makeResult(material, settings.prompt.locale) };
  }

  /** Formats the result so far for the prompt of the plan; empty before the request was understood. @see seed 004 §7.2 */
  formatForPlanning(options: Omit<PlanningBlockOptions, 'needs'> = {}): string {
    const { understanding_result: understanding, collection_plan: needs } = this.getState();
    if (understanding === null) return '';
    return formatPlanningBlock(this.getResult().pre_planning_result, { ...options, needs });
  }

  /** Reports how collecting went. @see seed 004 §5.4 */
  getCollectionStatus(): CollectionStatus {
    const { collection_plan: needs, collection_results: results } = this.#parts.keeper.state();
    const byId = new Map(results.map((result) => [result.info_id, result]));
    return toCollectionStatus(needs ?? noNeeds, byId);
  }

  /** Gives the state to resume from, as JSON. @see seed 004 §12.1 */
  getState(): PrePlanningState {
    return this.#parts.keeper.state();
  }

  /** Takes up a kept state, to reject assumptions or to read its result. */
  restore(state: unknown): void {
    this.#parts.keeper.restore(state);
  }

  /** Takes assumptions back that a person rejects; whether that person may is for the caller to know. */
  async rejectAssumptions(rejections: readonly Rejection[]): Promise<RejectedAssumptions> {
    const { keeper, settings } = this.#parts;
    const rejected = rejectAssumptions(keeper.state(), { rejections, locale: settings.prompt.locale });
    await keeper.update(() => rejected.change);
    return rejected;
  }

  async #executeSubphase(run: PrePlanningRun): Promise<'go' | 'interrupt'> {
    switch (this.getState().current_subphase) {
      case 'understanding':
        await this.executeUnderstanding(run);
        return 'go';
      case 'collection_planning':
        await this.executeCollectionPlanning(run);
        return 'go';
      case 'collection':
        return this.executeCollection(run);
      default:
        return this.makeAssumptions(run);
    }
  }

  #interrupted(): PrePlanningOutcome {
    return { status: 'interrupted', state: this.getState() };
  }

  async #announceStart(): Promise<void> {
    const { settings, announce } = this.#parts;
    const { locale } = settings.prompt;
    const status = phaseTexts[locale].notice.analyzing;
    const notice = settings.notifications.start ? formatStartNotice(this.#noticeOptions()) : null;
    await announce({ type: 'analysis-start', status, notice }, 'analysis-start');
  }

  async #announceEnd(): Promise<void> {
    const { settings, announce } = this.#parts;
    const { collection_plan: needs, assumptions, information_gaps: gaps } = this.getState();
    const status = this.getCollectionStatus();
    const outcome = { needs: needs ?? noNeeds, results: status.collection_results, assumptions, gaps };
    const notice = settings.notifications.collectionEnd
      ? formatCollectionEndNotice(outcome, this.#noticeOptions())
      : null;
    await announce({ type: 'collection-end', status, notice }, 'collection-end');
  }

  #noticeOptions() {
    const { notices, now } = this.#parts.settings;
    return { ...notices, now: now() };
  }
}

/** @throws PrePlanningError `invalid-input`, by the name of the field */
function checkRequest(request: PrePlanningRequest): void {
  for (const name of ['title', 'body'] as const)
    if (typeof request?.[name] !== 'string') throw isMissing(`request.${name}`, 'a text, perhaps empty');
  for (const name of ['labels', 'comments'] as const)
    if (!Array.isArray(request[name])) throw isMissing(`request.${name}`, 'a list, perhaps empty');
}
