// The header of an answer with a remark about its request, which was accepted all the same.
export const WARNING_HEADER = "Disclosure-Warning";
