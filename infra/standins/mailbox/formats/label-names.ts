/** What Gmail itself calls a place or a mark; own labels of the person are none of these. */
export type SystemName = "inbox" | "sent" | "drafts" | "spam" | "trash" | "chat" | "archived" | "starred" | "important";

/**
 * An export names them in the language of the account. As Gmail's interface and exports write them, lower case; a
 * language that is not here counts as received mail, which is the harmless way to be wrong.
 */
const names: Readonly<Record<SystemName, string>> = {
  inbox: `inbox, posteingang, boîte de réception, recibidos, bandeja de entrada, posta in arrivo, caixa de entrada,
    postvak in, odebrane, doručené, doručená pošta, входящие, вхідні, inkorg, inkorgen, indbakke, innboks, saapuneet,
    postilaatikko, gelen kutusu, beérkező levelek, primite, mesaje primite, εισερχόμενα, 受信トレイ, 받은편지함, 收件箱,
    收件匣, البريد الوارد, דואר נכנס, hộp thư đến, kotak masuk, กล่องจดหมาย`,
  sent: `sent, sent mail, sent messages, gesendet, gesendete nachrichten, envoyé, envoyés, messages envoyés, enviado,
    enviados, enviadas, mensajes enviados, inviata, inviati, posta inviata, e-mails enviados, itens enviados, verzonden,
    verzonden berichten, wysłane, odeslané, odeslaná pošta, отправленные, надіслані, skickat, skickade, sendt, sendte,
    lähetetyt, gönderilmiş postalar, gönderilenler, gönderilmiş, elküldött, elküldött levelek, trimise, mesaje trimise,
    απεσταλμένα, 送信済み, 送信済みメール, 보낸편지함, 已发送, 已发邮件, 寄件備份, البريد المرسل, דואר יוצא, נשלח,
    thư đã gửi, đã gửi, terkirim, จดหมายที่ส่งแล้ว, ส่งแล้ว`,
  drafts: `draft, drafts, entwurf, entwürfe, brouillon, brouillons, borrador, borradores, bozza, bozze, rascunho,
    rascunhos, concept, concepten, robocze, wersje robocze, koncepty, черновики, чернетки, utkast, kladde, kladder,
    luonnos, luonnokset, taslak, taslaklar, piszkozatok, mesaje nefinalizate, schițe, πρόχειρα, 下書き, 임시보관함, 草稿,
    مسودات, טיוטות, thư nháp, draf, ร่างจดหมาย`,
  spam: `spam, junk, courrier indésirable, correo no deseado, posta indesiderata, lixo eletrônico, спам, skräppost,
    søppelpost, roskaposti, ανεπιθύμητα, 迷惑メール, 스팸함, 垃圾邮件, 垃圾郵件, رسائل غير مرغوب فيها, דואר זבל,
    thư rác, จดหมายขยะ`,
  trash: `trash, bin, papierkorb, corbeille, papelera, cestino, lixeira, lixo, caixote do lixo, prullenbak, kosz, koš,
    корзина, кошик, papperskorg, papperskorgen, papirkurv, papirkurven, roskakori, çöp, çöp kutusu, kuka, lomtár,
    coș de gunoi, κάδος απορριμμάτων, ゴミ箱, 휴지통, 已删除邮件, 回收站, 垃圾桶, المهملات, אשפה, thùng rác, sampah,
    ถังขยะ`,
  chat: "chat, chats, чат, чаты, チャット, 채팅, 聊天",
  archived: `archived, archiviert, archivé, archivés, messages archivés, archivado, archivados, archiviata, archiviati,
    arquivado, arquivados, arquivada, arquivadas, gearchiveerd, zarchiwizowane, archivováno, архивировано,
    архивированные, архів, arkiverat, arkiveret, arkivert, arkistoitu, arşivlendi, archivált, arhivate, αρχειοθετημένα,
    アーカイブ済み, 보관됨, 已归档, 已封存`,
  starred: `starred, markiert, suivi, suivis, messages suivis, destacado, destacados, speciale, speciali, com estrela,
    met ster, oznaczone gwiazdką, s hvězdičkou, помеченные, із зірочкою, stjärnmärkt, stjernemarkeret, stjernemerket,
    tähdellä merkitty, yıldızlı, csillagozott, cu stea, με αστέρι, スター付き, 별표편지함, 已加星标, 已加星號`,
  important: `important, wichtig, importants, importante, importantes, importanti, belangrijk, ważne, důležité, важные,
    важное, важливі, viktigt, vigtigt, viktig, tärkeät, önemli, fontos, σημαντικά, 重要, 중요, 重要邮件, 重要郵件`,
};

const systemNames = new Map(
  Object.entries(names).flatMap(([system, list]) =>
    list.split(",").map((name) => [plainName(name), system as SystemName] as const),
  ),
);

/** The system's own name of a label in any known language, else the label itself, ready to be compared. */
export function labelName(name: string): string {
  const plain = plainName(name);
  return systemNames.get(plain) ?? plain;
}

/** One spelling of a name: composed letters, lower case, white space (Takeout writes no-break spaces) as one space. */
function plainName(name: string): string {
  return name.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}
