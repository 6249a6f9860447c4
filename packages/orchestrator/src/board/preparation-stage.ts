/** How far a run has come with pre-planning before its first step. @see seed 004 §2.2 */
export interface PreparationStage {
  readonly subphase: 'understanding' | 'collection_planning' | 'collection' | 'assumption';
  /** Items of information that were looked for, and how many there are; 0 of 0 while that is not known. */
  readonly done: number;
  readonly total: number;
}
