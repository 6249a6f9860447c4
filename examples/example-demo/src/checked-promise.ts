/** Something promised, held against what happened. */
export interface CheckedPromise {
  readonly promise: string;
  readonly kept: boolean;
}
