declare const fitted: unique symbol;

/** Messages of a model request that were fitted to the context window of the model. Only the code that fits them makes this type. */
export type Fitted<Messages> = Messages & { readonly [fitted]: true };
