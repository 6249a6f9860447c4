export { createFileTools } from './file-tools.ts';
export { createPlatformTools, type PlatformToolsOptions } from './platform-tools.ts';
export { readRepositoryInstructions } from './repository-instructions.ts';
export { type CommandTool, type CommandToolOptions, createCommandTool } from './run-command-tool.ts';
export { type CommandSandbox, chooseSandbox, type SandboxOptions } from './sandbox.ts';
export { createTaskTools, type TaskTools, type TaskToolsOptions } from './task-tools.ts';
