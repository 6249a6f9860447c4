/** Every port function takes its options last, with the signal that ends it early. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}
