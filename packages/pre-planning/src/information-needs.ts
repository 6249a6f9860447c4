export type InformationCategory = 'codebase' | 'context' | 'external';

/** One thing that has to be known before planning, and how to find it out. @see seed 004 §4.4 */
export interface InformationNeed {
  readonly id: string;
  readonly category: InformationCategory;
  readonly description: string;
  readonly purpose: string;
  readonly collection_method: {
    readonly tool: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
  readonly fallback_strategy: string;
  readonly can_assume: boolean;
  readonly default_assumption: string | null;
}

/** The plan for collecting. @see seed 004 §4.4 */
export interface InformationNeeds {
  readonly required_information: readonly InformationNeed[];
  /** Ids of the above, in the order of collecting. */
  readonly collection_order: readonly string[];
  readonly skip_collection: boolean;
  /** Why nothing is collected; empty when something is. */
  readonly skip_reason: string;
}
