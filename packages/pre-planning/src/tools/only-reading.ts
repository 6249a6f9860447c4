/** How a refusal says that a tool was not run because it does not only read. */
export const onlyReading = 'only tools that read are run';
