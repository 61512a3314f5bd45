// What is loaded when it is first wanted: for <Later load={…}> and beforehand().
export const declare = () => import('./Declare.svelte')
export const deedDialog = () => import('./DeedDialog.svelte')
export const keysDialog = () => import('./KeysDialog.svelte')
export const moveDialog = () => import('./MoveDialog.svelte')
export const optionsDialog = () => import('./OptionsDialog.svelte')
export const seatsDialog = () => import('./SeatsDialog.svelte')
export const shareDialog = () => import('./ShareDialog.svelte')
export const sheetDialog = () => import('./SheetDialog.svelte')
