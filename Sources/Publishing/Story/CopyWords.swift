/// What the texts of a paywall are called.
enum CopyWords {
  /// `Title` of `header_title`; a field that is none of the usual ones by its own name.
  static func name(of field: String) -> String {
    let usual = [
      "header_title": "Title", "header_subtitle": "Subtitle", "cta_button_text": "Button",
      "supporting_text": "Small print",
    ]
    return usual[field] ?? StoryWords.plain(field)
  }
}
