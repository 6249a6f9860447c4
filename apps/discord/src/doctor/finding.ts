/** One thing that was looked at. */
export interface Finding {
  /** `note`: it may be meant so. */
  readonly state: 'well' | 'note' | 'wrong';
  /** What was found; where it is wrong, what to do about it. */
  readonly text: string;
}
