/** One thing that was looked at. */
export interface Finding {
  readonly isWell: boolean;
  /** What was found; where it is not well, what to do about it. */
  readonly text: string;
}
